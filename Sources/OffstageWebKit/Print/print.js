// A function's source: it makes a document ready to be printed as it stands on the screen. `width` is its viewport's, CSS px;
// `colors` says how links and their goals are marked, nothing where they need not be; `doubtful` are the
// URLs of images for `pixels.js`; `height` is the viewport's, where something may depend on it and all is on one page; `isCut`
// is true if the picture ends there.
(width, colors, doubtful, height, isCut) => {
  'use strict';
  const { get, call, set: assign, find, children, styleOf } = offstageDOM;
  const root = get(document, 'documentElement');
  const body = get(document, 'body');
  const set = (element, styles) => {
    for (const [name, value] of Object.entries(styles)) element && styleOf(element)?.setProperty(name, value, 'important');
  };

  // On paper, what refers to the viewport's height would refer to the document's. It keeps its place and its height. In a document
  // that is higher than the viewport, WebKit paints fixed boxes in a viewport of the document's height, too.
  const kept = isCut || root.scrollHeight <= height ? /absolute|fixed/ : /absolute/;
  const placed = height ? [...find(document, '*')].filter((element) => {
    const { position, display } = getComputedStyle(element);
    return kept.test(position) && display !== 'none' && offstageHeight.isInViewport(element, position)
      && offstageHeight.isPlaced(element);
  }).map((element) => {
    const { top, height: own, marginTop, marginBottom } = getComputedStyle(element);
    return [element, {
      top, bottom: 'auto', height: own, 'min-height': 0, 'max-height': 'none', 'margin-top': marginTop, 'margin-bottom': marginBottom,
    }];
  }) : [];
  // A box of a pseudo element has no style of its own: the document becomes as high as the viewport.
  const hasPlacedPseudo = height && [root, body, ...children(body ?? root)].some((one) => one
    && ['::before', '::after'].some((name) => getComputedStyle(one, name).content !== 'none' && offstageHeight.isPlaced(one, name)));

  // WebKit prints columns as one: said to the layout, too, it is as high as it gets.
  const merged = [...find(document, '*')].filter((element) => {
    const { columnCount, columnWidth, display } = getComputedStyle(element);
    return (columnCount !== 'auto' || columnWidth !== 'auto') && /^(inline-)?block|^flow-root|^list-item/.test(display);
  }).length;
  if (merged) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { column-count: auto !important; column-width: auto !important }');
    assign(document, 'adoptedStyleSheets', [...get(document, 'adoptedStyleSheets'), sheet]);
  }

  // On paper what the viewport hides counts as well. Where it goes beyond, the document would be laid out wider and painted
  // smaller: the page is made so wide instead, and the document keeps its width. On a paper it is to fit.
  for (const element of [root, body]) set(element, { overflow: 'visible' });
  const overflowing = Math.max(root.scrollWidth, body?.scrollWidth ?? 0);
  if (overflowing > width && !colors) {
    const fits = root.style?.width === 'fit-content';
    set(root, { ...(fits ? {} : { width: `${width}px` }), 'max-width': `${width}px`, 'box-sizing': 'border-box', position: 'relative' });
  }
  // A page is as high as the content, which may be higher than the viewport.
  const styles = root.computedStyleMap?.();
  if (height && ['height', 'min-height', 'max-height'].some((name) => /%|stretch|available/.test(styles?.get(name) ?? ''))) {
    set(root, { height: `${height}px`, 'min-height': 0, 'max-height': 'none', 'box-sizing': 'border-box' });
  }
  const { top: rootTop, height: rootHeight } = offstageDOM.rectangle(root);
  if (hasPlacedPseudo && rootTop + rootHeight < height && /^block|flow-root/.test(getComputedStyle(root).display)) {
    const margins = parseFloat(getComputedStyle(root).marginTop) + parseFloat(getComputedStyle(root).marginBottom);
    set(root, { 'min-height': `${height - margins}px`, 'box-sizing': 'border-box' });
  }
  for (const [element, own] of placed) set(element, own);
  // WebKit prints nothing of a document whose root has no height, even if it shows something.
  if (offstageDOM.rectangle(root).height === 0) set(root, { 'min-height': `${height ?? 1}px` });
  // Outlines take no room. Their colour tells which link it is, and is as good as transparent.
  const { targets, names } = colors ? offstageContent.mark((element, kind, number) => {
    const value = number ^ colors.mask;
    const color = `rgba(${value >> 8}, ${value & 255}, ${colors[kind]}, 0.004)`;
    // An inline element around blocks is outlined beside them only.
    const blocks = [...children(element)].filter((child) => !/^(inline|contents|none)/.test(getComputedStyle(child).display));
    for (const one of [element, ...blocks]) {
      if (getComputedStyle(one).outlineStyle !== 'none') continue;
      set(one, { outline: `1px solid ${color}`, 'outline-offset': '-1px' });
    }
  }) : {};
  offstagePixels(doubtful);
  // Those of several characters, which a PDF file's glyphs do not tell. Most texts have none of these signs.
  const emoji = () => {
    const found = new Set();
    for (const one of offstageImages.roots(offstage.documents(), true)) {
      const said = get(get(one, 'documentElement') ?? one, 'textContent') ?? '';
      if (!/[\u{200d}\u{20e3}\u{fe0f}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\u{e007f}]/u.test(said)) continue;
      for (const [text] of said.matchAll(/\p{RGI_Emoji}/gv)) if ([...text].length > 1 && found.size < 1000) found.add(text);
    }
    return [...found];
  };
  const text = (value) => String(value ?? '').toWellFormed().replace(/\s+/g, ' ').trim().slice(0, 1000);
  return JSON.stringify({
    targets, names, width: Math.max(width, overflowing, root.scrollWidth), merged,
    emoji: emoji(), title: text(get(document, 'title')),
    language: text(offstageDOM.attribute(root, 'lang') ?? offstageDOM.attribute(root, 'xml:lang')).match(/^[a-z0-9-]{1,35}$/i)?.[0] ?? '',
  });
}
