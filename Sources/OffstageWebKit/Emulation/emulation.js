// Runs at the start of every document and frame that is emulated for, in our script world. It ends with a function; its
// argument, `wanted`, is put behind it: { language, printed, styleSheets }.
'use strict';
globalThis.offstageEmulation = ((wanted) => {
  const root = document.documentElement;
  if (wanted.language && !root.hasAttribute('lang')) root.lang = wanted.language;

  // They come after the document's own in the cascade.
  const added = wanted.styleSheets.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  function add() {
    const present = [...document.adoptedStyleSheets];
    if (added.some((sheet) => !present.includes(sheet))) document.adoptedStyleSheets = [...present, ...added];
  }

  // WebKitGTK's media type is `screen` and cannot be set: so the queries are turned round, each once.
  const turned = new WeakSet();

  // A medium list's text with `print` true and `screen` false.
  const turnedText = (media) => Array.from(media, (query) => query
    .replace(/^((?:not |only )?)print\b/i, '$1all')
    .replace(/^(?:only )?screen\b.*$/i, 'not all')
    .replace(/^not screen\b.*$/i, 'all')).join(', ');

  function turnMedia(media) {
    if (turned.has(media)) return;
    turned.add(media);
    const text = turnedText(media);
    if (text !== media.mediaText) media.mediaText = text;
  }

  function turnRules(rules) {
    for (const rule of rules) {
      if (rule.media) turnMedia(rule.media);
      if (rule.styleSheet) turnSheet(rule.styleSheet);
      else if (rule.cssRules) turnRules(rule.cssRules);
    }
  }

  function turnSheet(sheet) {
    turnMedia(sheet.media);
    let rules = [];
    try {
      rules = sheet.cssRules;
    } catch {
      // A data URI's rules are another origin's, and stay as they are.
    }
    turnRules(rules);
  }

  // Of a picture element.
  function turnSource(source) {
    if (turned.has(source)) return;
    turned.add(source);
    source.media = turnedText(new CSSStyleSheet({ media: source.media }).media);
  }

  function apply() {
    add();
    if (!wanted.printed) return;
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) turnSheet(sheet);
    for (const source of document.querySelectorAll('source[media]')) turnSource(source);
  }

  add();
  if (wanted.printed) {
    // As soon as a sheet is there, so that the load event waits for what its rules name.
    document.addEventListener('load', apply, true);
    document.addEventListener('DOMContentLoaded', apply);
  }
  return { apply };
})
