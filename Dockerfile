# The server, for a PostgreSQL of its own (docker-compose.yml). Nothing in it runs as root.
FROM python:3.11-slim-bookworm

RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin heartline
WORKDIR /opt/heartline

# What is installed changes seldom: a layer of its own, before the sources.
COPY pyproject.toml setup.py constraints.txt README.md LICENSE ./
RUN mkdir server && touch server/__init__.py \
    && python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --constraint constraints.txt --editable .

COPY alembic.ini ./
COPY migrations ./migrations
COPY client ./client
COPY server ./server
RUN /opt/venv/bin/python -m compileall -q server migrations

ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HEARTLINE_HOST=0.0.0.0 \
    HEARTLINE_PORT=8080 \
    HEARTLINE_DATA_DIR=/var/lib/heartline

RUN install --directory --owner heartline --mode 700 /var/lib/heartline
VOLUME /var/lib/heartline
USER heartline
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8080/readyz', timeout=4)"]
ENTRYPOINT ["heartline"]
CMD ["serve"]
