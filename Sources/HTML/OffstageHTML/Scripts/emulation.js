// Runs in Offstage's script world, at the start of every document and frame with emulated settings. The file ends with a
// function, and the caller appends its arguments: `wanted` is { language, mediaType, styleSheets, appearance }, and `answered` is
// the function that `appearance.js` returns for that `appearance`.
'use strict';
globalThis.offstageEmulation = ((wanted, answered) => {
  const { get, call, set, find } = offstageDOM;
  const root = get(document, 'documentElement');
  if (wanted.language && !root.hasAttribute('lang')) root.lang = wanted.language;

  // Adopted style sheets come after the document's own in the cascade.
  const added = wanted.styleSheets.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  function add() {
    const present = [...get(document, 'adoptedStyleSheets')];
    if (added.some((sheet) => !present.includes(sheet))) set(document, 'adoptedStyleSheets', [...present, ...added]);
  }

  // WebKitGTK's media type is always `screen`, and its appearance applies to the whole program. So this rewrites the media
  // queries, each once.
  const turned = new WeakSet();

  // Rewrites a query so that one of `print` and `screen` is true and the other false.
  const others = { print: 'screen', screen: 'print' };
  const known = (query, holds, other) => query
    .replace(new RegExp(`^((?:not |only )?)${holds}\\b`, 'i'), '$1all')
    .replace(new RegExp(`^(?:only )?${other}\\b.*$`, 'i'), 'not all')
    .replace(new RegExp(`^not ${other}\\b.*$`, 'i'), 'all');

  // Rewrites a media list.
  const turnedText = (media) => Array.from(media, (query) => {
    const text = wanted.mediaType ? known(query, wanted.mediaType, others[wanted.mediaType]) : query;
    return wanted.appearance ? answered(text) : text;
  }).join(', ');

  // The chosen scheme if the text lists both colour schemes, or else undefined.
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
      // The rules of a data URI's sheet have another origin and are not rewritten.
    }
    turnRules(rules);
  }

  // Rewrites a source of a picture element.
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
    // Rewrites each sheet as soon as it has loaded, so that the load event waits for the resources of the rewritten rules.
    call(document, 'addEventListener', 'load', apply, true);
    call(document, 'addEventListener', 'DOMContentLoaded', apply);
  }
  return { apply };
})
