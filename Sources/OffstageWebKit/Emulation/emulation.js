// Runs at the start of every document and frame that is emulated for, in our script world. It ends with a function; its
// arguments are put behind it: `wanted`, { language, mediaType, styleSheets, appearance }, and `answered`, what `appearance.js` makes
// of the last of these.
'use strict';
globalThis.offstageEmulation = ((wanted, answered) => {
  const { get, call, set, find } = offstageDOM;
  const root = get(document, 'documentElement');
  if (wanted.language && !root.hasAttribute('lang')) root.lang = wanted.language;

  // They come after the document's own in the cascade.
  const added = wanted.styleSheets.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  function add() {
    const present = [...get(document, 'adoptedStyleSheets')];
    if (added.some((sheet) => !present.includes(sheet))) set(document, 'adoptedStyleSheets', [...present, ...added]);
  }

  // WebKitGTK's media type is `screen` and cannot be set, and its appearance is a program's, not a view's: so the queries are
  // turned round, each once.
  const turned = new WeakSet();

  // With one of `print` and `screen` true and the other false.
  const others = { print: 'screen', screen: 'print' };
  const known = (query, holds, other) => query
    .replace(new RegExp(`^((?:not |only )?)${holds}\\b`, 'i'), '$1all')
    .replace(new RegExp(`^(?:only )?${other}\\b.*$`, 'i'), 'not all')
    .replace(new RegExp(`^not ${other}\\b.*$`, 'i'), 'all');

  // Of a medium list.
  const turnedText = (media) => Array.from(media, (query) => {
    const text = wanted.mediaType ? known(query, wanted.mediaType, others[wanted.mediaType]) : query;
    return wanted.appearance ? answered(text) : text;
  }).join(', ');

  // What a list of colour schemes to choose from comes to; nothing for any other text.
  const scheme = (text) => (/\blight\b/i.test(text) && /\bdark\b/i.test(text)
    ? wanted.appearance['prefers-color-scheme'] : undefined);

  function chooseScheme(style) {
    const chosen = scheme(style.colorScheme);
    if (chosen) style.setProperty('color-scheme', chosen, style.getPropertyPriority('color-scheme'));
  }

  function turnMedia(media) {
    if (turned.has(media)) return;
    turned.add(media);
    const text = turnedText(media);
    if (text !== media.mediaText) media.mediaText = text;
  }

  function turnRules(rules) {
    for (const rule of rules) {
      if (rule.media) turnMedia(rule.media);
      if (wanted.appearance && rule.style) chooseScheme(rule.style);
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
    if (!turns) return;
    for (const sheet of [...get(document, 'styleSheets'), ...get(document, 'adoptedStyleSheets')]) turnSheet(sheet);
    for (const source of find(document, 'source[media]')) turnSource(source);
    if (!wanted.appearance) return;
    for (const element of find(document, '[style*="color-scheme" i]')) chooseScheme(offstageDOM.styleOf(element));
    for (const meta of find(document, 'meta[name="color-scheme" i]')) {
      meta.content = scheme(meta.content) ?? meta.content;
    }
  }

  const turns = wanted.mediaType || wanted.appearance;
  add();
  if (turns) {
    // As soon as a sheet is there, so that the load event waits for what its rules name.
    call(document, 'addEventListener', 'load', apply, true);
    call(document, 'addEventListener', 'DOMContentLoaded', apply);
  }
  return { apply };
})
