"""What a wheel holds: the server, and in it the client and the migrations, which lie beside it here."""

from setuptools import find_namespace_packages, find_packages, setup

TREES = ("client", "migrations")
LEFT_OUT = ["client.node_modules*", "*.__pycache__*"]

folders = [
    each for tree in TREES for each in find_namespace_packages(include=[tree, f"{tree}.*"], exclude=LEFT_OUT)
]

setup(
    packages=[*find_packages(include=["server*"]), *(f"server.{folder}" for folder in folders)],
    package_dir={f"server.{tree}": tree for tree in TREES},
    package_data={"": ["*"]},
)
