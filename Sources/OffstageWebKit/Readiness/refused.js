// What a document refers to outside itself and its base folder and WebKit gives up without a word, or with one that may come too late
// for the report: references of SVG, paint servers, clips and filters, and sheets imported in shadow trees. In our world, before `readiness.js`.
'use strict';
globalThis.offstageRefused = (() => {
  const { get, find, attribute, nameOf } = offstageDOM;
  const svg = 'http://www.w3.org/2000/svg';
  const xlink = 'http://www.w3.org/1999/xlink';

  // Those lead somewhere, or name an element of the same document.
  const others = new Set(['a', 'script', 'animate', 'animateMotion', 'animateTransform', 'set', 'mpath']);

  const references = (root) => [...find(root, '[*|href]')].filter(
    (element) => get(element, 'namespaceURI') === svg && !others.has(nameOf(element))).map(
    (element) => attribute(element, 'href') ?? element.getAttributeNS(xlink, 'href'));

  const paints = ['fill', 'stroke', 'filter', 'clip-path', 'marker-start', 'marker-mid', 'marker-end'];
  const attributes = paints.map((name) => `[${name}*="url(" i]`).join();
  // In a style's text, a property that refers to something outside.
  const mayPaint = /(?:fill|stroke|filter|clip-path|marker(?:-\w+)?)\s*:[^;}]*url\(\s*(?!["']?(?:#|data:))/i;

  // Computed, as a rule that is for no element asks for nothing.
  function painted(root, isDocument) {
    const isAsked = isDocument && offstageStill.mayStyle(root, mayPaint, '[style*="url(" i]') || find(root, attributes).length > 0;
    if (!isAsked) return [];
    return [...find(root, '*')].flatMap((element) => {
      const style = getComputedStyle(element);
      return paints.flatMap((name) => urls(style.getPropertyValue(name)));
    });
  }

  const urls = (value) => value.includes('url(') ? [...value.matchAll(/url\("?([^"#)]+)/g)].map(([, url]) => url) : [];

  // Of the sheets that style elements import.
  const imported = (root) => [...find(root, 'style')].flatMap((element) => {
    const text = element.textContent;
    if (!/@import/i.test(text)) return [];
    return [...text.replace(/\/\*[^]*?\*\//g, ' ').matchAll(/@import\s*(?:url\(\s*)?["']?\s*([^"')\s;]+)/gi)].map(([, url]) => url);
  });

  // What closed shadow trees are made of can be read only where it was written; a document that is parsed for itself makes none.
  function* closedTrees(root) {
    for (const template of find(root, 'template')) {
      if (/^closed$/i.test(attribute(template, 'shadowrootmode') ?? '')) yield template.content;
      yield* closedTrees(template.content);
    }
  }

  // Absolute URLs, without fragments. `roots` are documents and open shadow roots, `text` the source of a document with closed ones.
  function refused(roots, text, isLocal) {
    const found = new Set();
    const add = (list, base) => {
      for (const one of list) {
        const url = URL.parse(one, base)?.href.split('#')[0];
        if (url && !isLocal(url)) found.add(url);
      }
    };
    for (const root of roots) {
      const isDocument = get(root, 'nodeType') === Node.DOCUMENT_NODE;
      const base = get(isDocument ? root : get(root, 'ownerDocument'), 'baseURI');
      add(references(root), base);
      add(painted(root, isDocument), base);
      // A document's own imports have events in time.
      if (!isDocument) add(imported(root), base);
    }
    if (text) {
      const base = get(document, 'baseURI');
      for (const tree of closedTrees(new DOMParser().parseFromString(text, 'text/html'))) {
        add(references(tree), base);
        add(imported(tree), base);
      }
    }
    return found;
  }

  return refused;
})();
