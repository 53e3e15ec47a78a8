// Which images a document shows besides its `<img>`s, and how many pixels they have once they are decoded: of styles, SVG, fields,
// films and objects, in frames and open shadow trees too. Files of the base folder are counted where they are read. Runs in our
// world, before `readiness.js`.
'use strict';
globalThis.offstageImages = (() => {
  // Pixels by URL, of what has been asked.
  const measured = new Map();

  // Whether a style's text may name an image: a word, or a way to hide one.
  const mayName = (text) => /url\(|image-set|@import|\\/i.test(text);

  function* roots(documents) {
    for (const one of documents) {
      yield one;
      for (const element of one.querySelectorAll('*')) if (element.shadowRoot) yield* roots([element.shadowRoot]);
    }
  }

  // Those of CSS, as WebKit writes it, and as it may stand in an attribute.
  function* named(style) {
    for (const [, , quoted, plain] of style.matchAll(/(?:url|image-set)\(\s*(?:(["'])((?:\\.|(?!\1).)*)\1|([^"')\s]+))/gis)) {
      yield (quoted ?? plain).replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi,
        (_, code, sign) => code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : sign);
    }
  }

  function* sheetImages(sheet) {
    let rules;
    try {
      rules = sheet.cssRules;
    } catch {
      // Of another origin: what a data URI holds can be read all the same.
      if (/^data:/i.test(sheet.href)) yield* named(decoded(sheet.href));
      return;
    }
    for (const rule of rules) {
      if (rule instanceof CSSImportRule) {
        if (rule.styleSheet) yield* sheetImages(rule.styleSheet);
      } else if (!(rule instanceof CSSFontFaceRule)) {
        yield* named(rule.cssText);
      }
    }
  }

  const others = 'image, feImage, input[type="image" i], video[poster], object[data], embed[src], iframe[src], frame[src], [background], [mask], [style]';

  function* elementImages(root, selector = others) {
    for (const element of root.querySelectorAll(selector)) {
      for (const attribute of element.attributes) {
        if (attribute.name === 'style' || attribute.name === 'mask') {
          if (mayName(attribute.value)) yield* named(attribute.name === 'mask' ? attribute.value : element.style.cssText);
        } else if (/^(?:src|href|xlink:href|poster|data|background)$/.test(attribute.name)) {
          yield attribute.value.trim();
        }
      }
    }
  }

  // A script may have changed a sheet in a way that its text does not tell.
  function* imagesOf(root, isScripted) {
    yield* elementImages(root);
    for (const sheet of [...root.styleSheets ?? [], ...root.adoptedStyleSheets ?? []]) {
      if (isScripted || !sheet.ownerNode || sheet.href || mayName(sheet.ownerNode.textContent)) yield* sheetImages(sheet);
    }
  }

  // The text of a data URI; nothing where it is none.
  function decoded(url) {
    const [, isEncoded, content] = url.match(/^data:[^,]*?(;\s*base64\s*)?,([^]*)$/i) ?? [];
    try {
      return isEncoded ? atob(decodeURIComponent(content)) : decodeURIComponent(content ?? '');
    } catch {
      return content;
    }
  }

  // The images that an SVG or a document in a data URI holds in its turn: nobody can look into those while they are shown.
  function* nested(url, depth) {
    const [, kind] = url.match(/^data:\s*(image\/svg|text\/html|application\/xhtml)/i) ?? [];
    if (!kind || depth === 0) return;
    const inside = new DOMParser().parseFromString(decoded(url), /html$/i.test(kind) ? 'text/html' : 'image/svg+xml');
    const styles = [...inside.querySelectorAll('style')].map((one) => one.textContent).join();
    for (const inner of [...elementImages(inside, `img, ${others}`), ...named(styles)]) {
      yield inner;
      yield* nested(inner, depth - 1);
    }
  }

  // From the network only what was loaded: nothing is asked of it that the document did not ask for.
  const isMeasured = (url) => /^data:(?!font|text\/(?:css|html)|application\/(?:font|x-font|xhtml))/i.test(url) || /^blob:/i.test(url)
    || (/^https?:/i.test(url) && performance.getEntriesByName(url).length > 0);

  const size = (url) => new Promise((resolve) => {
    const image = new Image();
    image.onload = image.onerror = () => resolve(image.naturalWidth * image.naturalHeight);
    image.src = url;
  });

  // Milliseconds for all: what has not come by then has no part in the picture either.
  const patience = 1000;

  // Resolves once the images of styles and attributes are known; a promise only where there are some.
  function measure(documents, isScripted) {
    const found = new Set();
    for (const root of roots(documents)) {
      for (const url of imagesOf(root, isScripted)) {
        found.add(url);
        for (const inner of nested(url, 4)) found.add(inner);
      }
      for (const { currentSrc } of root.querySelectorAll('img')) for (const inner of nested(currentSrc, 4)) found.add(inner);
    }
    for (const url of measured.keys()) if (!found.has(url)) measured.delete(url);
    const asked = [...found].filter((url) => !measured.has(url) && isMeasured(url));
    if (asked.length === 0) return undefined;
    return Promise.race([
      Promise.all(asked.map(async (url) => measured.set(url, await size(url)))),
      new Promise((resolve) => setTimeout(resolve, patience)),
    ]);
  }

  // Pixels of all different images: those of the base folder's files by URL, of all others together.
  function pixels(documents) {
    const sizes = new Map(measured);
    for (const root of roots(documents)) {
      for (const image of root.querySelectorAll('img')) sizes.set(image.currentSrc, image.naturalWidth * image.naturalHeight);
    }
    const files = {};
    let others = 0;
    for (const [url, size] of sizes) if (/^offstage:/.test(url)) files[url] = size; else others += size;
    return { files, others };
  }

  return { measure, pixels };
})();
