// Stops everything in a document that depends on the clock. Runs in every document and frame, before `readiness.js`, which calls
// it for the document and the frames that it can reach. A frame of another origin, such as a data URI, calls it itself.
'use strict';
globalThis.offstageStill = (() => {
  const { get, call, set, find, styleOf } = offstageDOM;

  // Computes style and layout now, which starts the loading of fonts and CSS images.
  function layOut(one) {
    const root = get(one, 'documentElement');
    if (root) offstageDOM.rectangle(root);
  }

  // An escape in CSS, such as `\61nimation`, can hide the words.
  const movingStyle = /animation|transition|\\/i;

  const mayMove = (one) => mayStyle(one, movingStyle, '[style*="animation" i], [style*="transition" i], [style*="\\\\"]');

  // True if a document's style contains a word, as far as its text shows without reading the rules. Rules that a script adds are
  // not in any text.
  const mayStyle = (one, word, inline) => get(one, 'adoptedStyleSheets').length > 0
    || [...get(one, 'styleSheets')].some((sheet) => sheet.href || !/\S/.test(sheet.ownerNode?.textContent)
      || word.test(sheet.ownerNode?.textContent) || /@import/i.test(sheet.ownerNode?.textContent))
    || call(one, 'querySelector', inline) !== null;

  // True if a document may have elements with a CSS `zoom`.
  const mayZoom = (one) => mayStyle(one, /zoom|\\/i, '[style*="zoom" i], [style*="\\\\"]');

  // True if a document may have elements with a `filter`.
  const mayFilter = (one) => mayStyle(one, /filter|\\/i, '[style*="filter" i], [style*="\\\\"]');

  // Moves animations to their end. Endless ones move to their start. Paused animations and those that follow
  // a scroll position are left alone. `getAnimations` is called only for documents that may have some, because afterwards
  // WebKit keeps the document in memory, about 35 KB each.
  function endAnimations(one, isMoving) {
    if (isMoving) {
      for (const animation of call(one, 'getAnimations')) {
        if (animation.playState === 'paused' || !isTimed(animation)) continue;
        try {
          animation.finish();
        } catch {
          animation.pause();
          animation.currentTime = 0;
        }
      }
    }
    offstageSMIL.endPictures(one);
  }

  const isTimed = ({ timeline }) => timeline === null || Object.prototype.toString.call(timeline) === '[object DocumentTimeline]';

  const isNative = (element) => getComputedStyle(element).appearance !== 'none';

  // A progress bar without a value is animated if WebKit draws it. It stops at its first frame, which WebKit draws as one
  // fifth.
  function stopBars(one) {
    for (const bar of find(one, 'progress:not([value])')) {
      if (!isNative(bar)) continue;
      set(bar, 'value', get(bar, 'max') / 5);
    }
  }

  // Moves a marquee's content to its position without scrolling.
  function stopMarquees(one) {
    for (const element of find(one, 'marquee')) {
      get(element, 'stop')?.call(element);
      for (const side of ['scrollLeft', 'scrollTop']) set(element, side, 0);
    }
  }

  // An empty date field shows today's date in a paler colour. Such a field gets a fixed date and keeps the colour.
  const dates = { date: '2000-01-01', month: '2000-01', 'datetime-local': '2000-01-01T12:30' };
  const emptyDates = Object.keys(dates).map((type) => `input[type="${type}" i]`).join();
  const standIns = new WeakSet();

  function fillDates(one) {
    const fields = [...find(one, emptyDates)].filter((field) => get(field, 'value') === '' && get(field, 'type') in dates);
    for (const field of fields) {
      const [red, green, blue] = getComputedStyle(field).color.match(/[\d.]+/g) ?? [];
      const isLight = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 128;
      set(field, 'value', dates[get(field, 'type')]);
      styleOf(field).setProperty('--offstage-empty', `hsl(from currentcolor h s ${isLight ? 'calc(l * 0.66)' : 'calc(l + 0.66 * (100 - l))'})`);
      standIns.add(field);
    }
    if (!fields.length) return;
    // A cascade layer, so that the author's own rules for these parts take precedence. A field with a date is not affected.
    const parts = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'meridiem'].map(
      (part) => `input::-webkit-datetime-edit-${part}-field`);
    const sheet = new (get(get(one, 'ownerDocument') ?? one, 'defaultView').CSSStyleSheet)();
    sheet.replaceSync(`@layer offstage { ${parts.join()} { color: var(--offstage-empty) } }`);
    set(one, 'adoptedStyleSheets', [...get(one, 'adoptedStyleSheets'), sheet]);
  }

  // Takes documents and shadow roots. The style of a shadow tree can also move its host and its slotted content.
  function still(roots) {
    const isMoving = roots.some(mayMove);
    for (const one of roots) {
      stopBars(one);
      stopMarquees(one);
      fillDates(one);
      endAnimations(one, isMoving);
    }
  }

  // Adds the open shadow roots. This visits every element.
  function withShadowRoots(documents) {
    const all = [...documents];
    for (const one of all) {
      for (const element of get(one, 'getElementsByTagName')?.call(one, '*') ?? find(one, '*')) {
        const root = offstageDOM.shadowRoot(element);
        if (root) all.push(root);
      }
    }
    return all;
  }

  if (self !== top) {
    offstageDOM.call(globalThis, 'addEventListener', 'load', () => {
      layOut(document);
      still(withShadowRoots([document]));
    });
  }

  return { still, withShadowRoots, layOut, mayStyle, mayZoom, mayFilter, isStandIn: (field) => standIns.has(field) };
})();
