// Finds external references, outside the document and its base folder, that WebKit refuses silently or may report too late:
// references of SVG, paint servers, clips and filters, and sheets imported in shadow trees. Runs in Offstage's script world,
// before `readiness.js`.
'use strict';
globalThis.offstageRefused = (() => {
  const { get, call, find, attribute, nameOf } = offstageDOM;
  const svg = 'http://www.w3.org/2000/svg';
  const xlink = 'http://www.w3.org/1999/xlink';

  // Elements whose `href` is a link, or refers to an element of the same document.
  const others = new Set(['a', 'script', 'animate', 'animateMotion', 'animateTransform', 'set', 'mpath']);

  const references = (root) => [...find(root, '[*|href]')].filter(
    (element) => get(element, 'namespaceURI') === svg && !others.has(nameOf(element))).map(
    (element) => attribute(element, 'href') ?? element.getAttributeNS(xlink, 'href'));

  const paints = ['fill', 'stroke', 'filter', 'clip-path', 'marker-start', 'marker-mid', 'marker-end'];
  const attributes = paints.map((name) => `[${name}*="url(" i]`).join();
  // Matches a property in a style's text that refers to an external resource.
  const mayPaint = /(?:fill|stroke|filter|clip-path|marker(?:-\w+)?)\s*:[^;}]*url\(\s*(?!["']?(?:#|data:))/i;

  // Uses computed styles, because a rule that matches no element loads nothing.
  function painted(root, isDocument) {
    const isAsked = isDocument && offstageStill.mayStyle(root, mayPaint, '[style*="url(" i]') || find(root, attributes).length > 0;
    if (!isAsked) return [];
    return [...find(root, '*')].flatMap((element) => {
      const style = getComputedStyle(element);
      return paints.flatMap((name) => urls(style.getPropertyValue(name)));
    });
  }

  const urls = (value) => value.includes('url(') ? [...value.matchAll(/url\("?([^"#)]+)/g)].map(([, url]) => url) : [];

  // The URLs that style elements import.
  const imported = (root) => [...find(root, 'style')].flatMap((element) => {
    const text = element.textContent;
    if (!/@import/i.test(text)) return [];
    return [...text.replace(/\/\*[^]*?\*\//g, ' ').matchAll(/@import\s*(?:url\(\s*)?["']?\s*([^"')\s;]+)/gi)].map(([, url]) => url);
  });

  // The contents of closed shadow trees. They can be read only in the source: a document parsed by DOMParser creates no shadow
  // trees.
  function* closedTrees(root) {
    for (const template of find(root, 'template')) {
      if (/^closed$/i.test(attribute(template, 'shadowrootmode') ?? '')) yield template.content;
      yield* closedTrees(template.content);
    }
  }

  // Returns absolute URLs without fragments. `roots` are documents and open shadow roots. `text` is the source of a document
  // with closed ones.
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
      // Events report the imports of the document itself in time.
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

  // Sorts URLs by the first element that refers to them, then those of styles alphabetically, because events report them in no
  // fixed order.
  function inOrder(urls, documents) {
    const list = [...urls];
    if (list.length < 2) return list;
    const places = new Map();
    for (const one of documents) {
      const base = get(one, 'baseURI');
      for (const element of find(one, '[src], [srcset], [*|href], [poster], [data], [background]')) {
        for (const value of [get(element, 'currentSrc'), ...[...get(element, 'attributes')].map((attribute) => attribute.value)]) {
          const url = typeof value === 'string' && value.length < 10000 && URL.parse(value, base)?.href.split('#')[0];
          if (url && !places.has(url)) places.set(url, places.size);
        }
      }
    }
    const place = (url) => places.get(url.split('#')[0]) ?? places.size;
    return list.sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
  }

  // The files of XInclude and of XSLT, which WebKit never loads here. An XSLT instruction is before the root element.
  function unsupported(documents) {
    return [...documents].filter((one) => !(one instanceof HTMLDocument)).flatMap((one) => [
      ...[...get(one, 'childNodes')].filter((node) => get(node, 'nodeType') === Node.PROCESSING_INSTRUCTION_NODE
        && get(node, 'target') === 'xml-stylesheet' && /\btype\s*=\s*["'][^"']*(?:xsl|xml)/i.test(get(node, 'data'))).map(
        (node) => /\bhref\s*=\s*["']([^"']*)/i.exec(get(node, 'data'))?.[1] ?? 'xml-stylesheet'),
      ...[...call(one, 'getElementsByTagNameNS', 'http://www.w3.org/2001/XInclude', 'include')].map(
        (element) => attribute(element, 'href') ?? 'include'),
    ]).slice(0, 100);
  }

  return { refused, inOrder, unsupported };
})();
