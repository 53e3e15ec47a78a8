// Finds the images that a document shows besides its `<img>` elements, and their decoded pixels: images of styles, SVG, form
// controls, videos and objects, also in frames and open shadow trees. Files of the base folder are counted when they are read.
// Runs in Offstage's script world, before `readiness.js`. It never uses `querySelectorAll` to find all elements or all images:
// the results stay in memory with the document and its decoded images until the process ends, 0.7 MB per row of a news feed.
// Collections (`images`, `getElementsByTagName`) do not.
'use strict';
globalThis.offstageImages = (() => {
  const { get, find } = offstageDOM;

  // Measured pixels by URL.
  const measured = new Map();

  // True if a style's text may refer to an image. Searches for keywords, and for the backslash that can hide one.
  const mayName = (text) => /url\(|image-set|@import|\\/i.test(text);

  // Adds shadow roots only if the documents may have any, because the search visits every element.
  const roots = (documents, seeksShadowRoots) => seeksShadowRoots ? offstageStill.withShadowRoots(documents) : [...documents];

  // The image URLs in CSS, either serialized by WebKit or as written in an attribute.
  const named = (style) => [...style.matchAll(/(?:url|image-set)\(\s*(?:(["'])((?:\\.|(?!\1).)*)\1|([^"')\s]+))/gis)].map(
    ([, , quoted, plain]) => (quoted ?? plain).replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi,
      (_, code, sign) => code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : sign));

  function sheetImages(sheet) {
    let rules;
    try {
      rules = sheet.cssRules;
    } catch {
      // The sheet has another origin. The contents of a data URI can be read anyway.
      return /^data:/i.test(sheet.href) ? named(decoded(sheet.href)) : [];
    }
    return [...rules].flatMap((rule) => {
      if (rule instanceof CSSImportRule) return rule.styleSheet ? sheetImages(rule.styleSheet) : [];
      return rule instanceof CSSFontFaceRule ? [] : named(rule.cssText);
    });
  }

  const others = 'image, feImage, input[type="image" i], video[poster], object[data], embed[src], iframe[src], frame[src], [background], [mask], '
    + '[style*="url(" i], [style*="image-set" i], [style*="@import" i], [style*="\\\\"]';

  const elementImages = (root, selector = others) => [...find(root, selector)].flatMap(
    (element) => [...get(element, 'attributes')].flatMap(({ name, value }) => {
      if (name === 'style' || name === 'mask') {
        return mayName(value) ? named(name === 'mask' ? value : offstageDOM.styleOf(element).cssText) : [];
      }
      return /^(?:src|href|xlink:href|poster|data|background)$/.test(name) ? [value.trim()] : [];
    }));

  // A script may have changed a sheet without changing its text.
  function imagesOf(root, isScripted) {
    const sheets = [...get(root, 'styleSheets') ?? [], ...get(root, 'adoptedStyleSheets') ?? []].filter(
      (sheet) => isScripted || !sheet.ownerNode || sheet.href || mayName(sheet.ownerNode.textContent));
    return [...elementImages(root), ...sheets.flatMap(sheetImages)];
  }

  const imgs = (root) => get(root, 'images') ?? find(root, 'img');

  // The contents of a data URI. Empty for any other URL.
  function decoded(url) {
    const [, isEncoded, content] = url.match(/^data:[^,]*?(;\s*base64\s*)?,([^]*)$/i) ?? [];
    try {
      return isEncoded ? atob(decodeURIComponent(content)) : decodeURIComponent(content ?? '');
    } catch {
      return content;
    }
  }

  // The images inside an SVG or HTML document in a data URI, found recursively. They are inaccessible while the document is
  // displayed.
  function nested(url, depth) {
    const [, kind] = url.match(/^data:\s*(image\/svg|text\/html|application\/xhtml)/i) ?? [];
    if (!kind || depth === 0) return [];
    const inside = new DOMParser().parseFromString(decoded(url), /html$/i.test(kind) ? 'text/html' : 'image/svg+xml');
    const styles = [...find(inside, 'style')].map((one) => one.textContent).join();
    return [...elementImages(inside, `img, ${others}`), ...named(styles)].flatMap(
      (inner) => [inner, ...nested(inner, depth - 1)]);
  }

  // Measures a network image only if the document has loaded it, so that Offstage makes no requests of its own.
  const isMeasured = (url) => /^data:(?!font|text\/(?:css|html)|application\/(?:font|x-font|xhtml))/i.test(url) || /^blob:/i.test(url)
    || (/^https?:/i.test(url) && performance.getEntriesByName(url).length > 0);

  // The images in data URIs that the document shows, as found by the last `measure`.
  let shown = [];

  // Truncated images: WebKit shows a part of them or nothing, and reports no error. Uses the same rule as `CutImage`.
  const cut = () => shown.filter(isCut);

  function isCut(url) {
    if (!/^data:image\/(?:png|jpe?g|webp)[^,]*;\s*base64\s*,/i.test(url)) return false;
    let data;
    try {
      data = atob(decodeURIComponent(url.slice(url.indexOf(',') + 1)));
    } catch {
      return false;
    }
    const byte = (place) => data.charCodeAt(place);
    if (data.startsWith('\x89PNG')) {
      let place = 8;
      while (place + 12 <= data.length) {
        if (data.startsWith('IEND', place + 4)) return false;
        place += 12 + byte(place) * 0x1000000 + (byte(place + 1) << 16 | byte(place + 2) << 8 | byte(place + 3));
      }
      return true;
    }
    if (data.startsWith('RIFF') && data.startsWith('WEBP', 8)) {
      return 8 + (byte(4) | byte(5) << 8 | byte(6) << 16) + byte(7) * 0x1000000 > data.length + 1;
    }
    if (!data.startsWith('\xff\xd8')) return false;
    let place = 2;
    while (place + 4 <= data.length && byte(place) === 0xff) {
      const mark = byte(place + 1);
      if (mark === 0xda) return data.indexOf('\xff\xd9', place) < 0;
      place += mark === 0xff ? 1 : 2 + (byte(place + 2) << 8 | byte(place + 3));
    }
    return false;
  }

  const size = (url) => new Promise((resolve) => {
    const image = new Image();
    image.onload = image.onerror = () => resolve(image.naturalWidth * image.naturalHeight);
    image.src = url;
  });

  // The time limit for all images, in milliseconds. An image that takes longer is not in the picture either.
  const patience = 1000;

  // Measures the images of styles and attributes. Returns a promise only if some must be measured.
  function measure(documents, { seeksShadowRoots, awaitsSignal: isScripted }) {
    const found = new Set();
    const pictures = new Set();
    for (const root of roots(documents, seeksShadowRoots)) {
      for (const url of imagesOf(root, isScripted)) for (const one of [url, ...nested(url, 4)]) found.add(one);
      for (const image of imgs(root)) {
        for (const one of nested(image.currentSrc, 4)) found.add(one);
        if (/^data:/i.test(image.currentSrc)) pictures.add(image.currentSrc);
      }
    }
    shown = [...pictures, ...[...found].filter((url) => /^data:/i.test(url) && !pictures.has(url))];
    for (const url of measured.keys()) if (!found.has(url)) measured.delete(url);
    const asked = [...found].filter((url) => !measured.has(url) && isMeasured(url));
    if (asked.length === 0) return undefined;
    return Promise.race([
      Promise.all(asked.map(async (url) => measured.set(url, await size(url)))),
      new Promise((resolve) => setTimeout(resolve, patience)),
    ]);
  }

  // Pixels of all distinct images: by URL for files of the base folder, in total for the others.
  function pixels(documents, { seeksShadowRoots }) {
    const sizes = new Map(measured);
    for (const root of roots(documents, seeksShadowRoots)) {
      for (const image of imgs(root)) sizes.set(image.currentSrc, image.naturalWidth * image.naturalHeight);
    }
    const files = {};
    let others = 0;
    for (const [url, size] of sizes) if (/^offstage:/.test(url)) files[url] = size; else others += size;
    return { files, others };
  }

  return { measure, pixels, roots, cut };
})();
