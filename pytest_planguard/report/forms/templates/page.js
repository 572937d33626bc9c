"use strict";
// Filters and keys. The state is the address's fragment, so that a filtered page can be linked; without this script the
// page shows everything, and the same fragments lead to a bucket or a case.
(() => {
  const form = document.getElementById("filters");
  const nothing = document.getElementById("nothing");
  const same = document.querySelector("details.same");
  const chips = [...document.querySelectorAll(".chip")];
  const sections = [...document.querySelectorAll("section.bucket")];
  const cases = [...document.querySelectorAll(".case")].map((element) => ({
    element,
    bucket: element.dataset.bucket,
    folded: "folded" in element.dataset,
    rules: JSON.parse(element.dataset.rules),
    models: JSON.parse(element.dataset.models),
    text: null,
  }));
  const names = ["bucket", "rule", "model", "q", "case"];

  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    return Object.fromEntries(names.map((name) => [name, given.get(name) || ""]));
  };

  const write = (changes, replace) => {
    const state = { ...read(), case: "", ...changes };
    const given = new URLSearchParams(Object.entries(state).filter(([, value]) => value));
    const address = location.href.split("#")[0] + "#" + given;
    history[replace ? "replaceState" : "pushState"](null, "", address);
    apply();
  };

  const holds = (found, state, words) => {
    if (state.bucket ? found.bucket !== state.bucket : found.folded && !words.length && !state.rule && !state.model) return false;
    if (state.rule && !found.rules.includes(state.rule)) return false;
    if (state.model && !found.models.includes(state.model)) return false;
    if (!words.length) return true;
    found.text ??= found.element.textContent.toLowerCase();
    return words.every((word) => found.text.includes(word));
  };

  const apply = () => {
    const state = read();
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const filtered = Boolean(state.bucket || state.rule || state.model || words.length);
    const shown = new Set();
    let count = 0;
    for (const found of cases) {
      const fits = holds(found, state, words) || found.element.id === "case=" + state.case;
      // Without any filter unchanged cases stay in their closed fold.
      found.element.hidden = !fits && (filtered || !found.folded);
      if (fits) { count += 1; shown.add(found.bucket); }
    }
    for (const section of sections) section.hidden = filtered && !shown.has(section.dataset.bucket);
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.dataset.bucket === state.bucket));
    if (same) same.open = filtered && shown.has(same.parentElement.dataset.bucket);
    form.rule.value = state.rule;
    if (form.model) form.model.value = state.model;
    if (document.activeElement !== form.q) form.q.value = state.q;
    form.count.value = `${count} of ${cases.length} cases`;
    nothing.hidden = count > 0 || !filtered;
    const linked = state.case && document.getElementById("case=" + state.case);
    if (linked) { linked.open = true; linked.scrollIntoView(); }
  };

  const move = (step) => {
    const visible = cases.filter((found) => !found.element.hidden && found.element.tagName === "DETAILS");
    const heads = visible.map((found) => found.element.querySelector("summary"));
    const at = heads.findIndex((head) => head.parentElement.contains(document.activeElement));
    const next = heads[at < 0 ? (step > 0 ? 0 : heads.length - 1) : Math.min(Math.max(at + step, 0), heads.length - 1)];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
  };

  const clear = () => { form.q.value = ""; write({ bucket: "", rule: "", model: "", q: "" }); };

  const keys = {
    j: () => move(1),
    k: () => move(-1),
    "/": () => form.q.focus(),
    x: clear,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input, select, textarea");
    if (typing) { if (event.key === "Escape") event.target.blur(); return; }
    if (Object.hasOwn(keys, event.key)) { event.preventDefault(); keys[event.key](); }
  });
  for (const chip of chips) chip.addEventListener("click", (event) => {
    event.preventDefault();
    write({ bucket: read().bucket === chip.dataset.bucket ? "" : chip.dataset.bucket });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.rule.addEventListener("change", () => write({ rule: form.rule.value }));
  form.model?.addEventListener("change", () => write({ model: form.model.value }));
  form.q.addEventListener("input", () => write({ q: form.q.value }, true));
  form.clear.addEventListener("click", clear);
  addEventListener("hashchange", apply);
  addEventListener("popstate", apply);
  form.hidden = false;
  apply();
})();
