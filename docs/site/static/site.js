// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the guides and the API pages: the menu of versions, on API pages the theme that was chosen in a guide, and
// searches for names with their namespace.
(() => {
  // The folder of this version; it is in a folder with versions.js and the other versions.
  const root = new URL("..", document.currentScript.src);

  // Furo stores "light", "dark" or "auto".
  const stored = () => { try { return localStorage.getItem("theme") } catch { return null } };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => stored() === "dark" || (stored() !== "light" && system.matches);
  const show = () => {
    const classes = document.documentElement.classList;
    classes.toggle("dark-mode", dark());
    classes.toggle("light-mode", !dark());
  };
  show();
  system.addEventListener("change", show);

  // The search compares a whole query with titles, which have no namespaces: hpk::sort finds `sort`.
  const query = new URLSearchParams(location.search);
  const qualified = /^\s*hpk::(Experimental::)?(?=\w)/;
  if (qualified.test(query.get("q"))) {
    query.set("q", query.get("q").replace(qualified, ""));
    history.replaceState(null, "", `?${query}`);
  }

  const menu = (versions) => {
    for (const place of document.querySelectorAll(".hpk-version")) {
      const here = place.textContent;
      if (versions.length < 2) continue;
      const select = document.createElement("select");
      select.setAttribute("aria-label", "Version");
      for (const version of versions) select.add(new Option(version, version, false, version === here));
      select.onchange = () => { location.href = new URL(`../${select.value}/index.html`, root) };
      place.replaceChildren(select);
    }
  };

  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("button.hpk-theme"))
      button.onclick = () => {
        try { localStorage.setItem("theme", dark() ? "light" : "dark") } catch {}
        show();
      };
    const list = document.createElement("script");
    list.src = new URL("../versions.js", root);
    list.onload = () => menu(window.hpk_versions);
    document.head.append(list);
  });
})();
