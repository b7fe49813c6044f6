// The chosen theme before the first paint: a classic script, since a module would come too late.
try {
  const { theme } = JSON.parse(localStorage.getItem("heartline.settings") ?? "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's theme stands.
}
