// Makes a document stand still: nothing that is drawn goes by the clock. Runs in every document and frame, before `readiness.js`,
// which calls it for the document and those of its frames that it can reach; a frame of another origin, such as a data URI's, does it
// by itself.
'use strict';
globalThis.offstageStill = (() => {
  const { get, call, set, find, styleOf } = offstageDOM;

  // Style and layout now: this is what starts the loading of fonts and of CSS images.
  function layOut(one) {
    const root = get(one, 'documentElement');
    if (root) offstageDOM.rectangle(root);
  }

  const movingStyle = /animation|transition/i;

  const mayMove = (one) => mayStyle(one, movingStyle, '[style*="animation" i], [style*="transition" i]');

  // Whether a document's style has a word, as far as that can be seen without its rules.
  const mayStyle = (one, word, inline) => get(one, 'adoptedStyleSheets').length > 0
    || [...get(one, 'styleSheets')].some((sheet) => sheet.href
      || word.test(sheet.ownerNode?.textContent) || /@import/i.test(sheet.ownerNode?.textContent))
    || call(one, 'querySelector', inline) !== null;

  // Animations stand at their end; those without one at their start, SVG's own too. What is paused stays where it is, and what
  // goes by a scroll position knows no clock. Asked only of documents that have some: a document that was asked for its animations
  // stays in WebKit's memory, some 35 KB each.
  function endAnimations(one) {
    if (mayMove(one)) {
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
    const pictures = [...find(one, 'animate, animateMotion, animateTransform, animateColor, set')].map((element) => element.ownerSVGElement);
    for (const svg of new Set(pictures)) {
      if (!svg || svg.animationsPaused()) continue;
      svg.pauseAnimations();
      svg.setCurrentTime(0);
    }
  }

  const isTimed = ({ timeline }) => timeline === null || Object.prototype.toString.call(timeline) === '[object DocumentTimeline]';

  const isNative = (element) => getComputedStyle(element).appearance !== 'none';

  // A bar without a value moves by the clock, if WebKit draws it: it stands where it starts, which is how WebKit draws a fifth.
  function stopBars(one) {
    for (const bar of find(one, 'progress:not([value])')) {
      if (!isNative(bar)) continue;
      set(bar, 'value', get(bar, 'max') / 5);
    }
  }

  // What a marquee says stands where it would without rolling.
  function stopMarquees(one) {
    for (const element of find(one, 'marquee')) {
      get(element, 'stop')?.call(element);
      for (const side of ['scrollLeft', 'scrollTop']) set(element, side, 0);
    }
  }

  // A field for a date that has none shows today's, in a paler colour: it gets one that stays, and keeps that colour.
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
    // In a layer, the author's own rules for these parts win; a field that has a date does without.
    const parts = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'meridiem'].map(
      (part) => `input::-webkit-datetime-edit-${part}-field`);
    const sheet = new (get(one, 'defaultView').CSSStyleSheet)();
    sheet.replaceSync(`@layer offstage { ${parts.join()} { color: var(--offstage-empty) } }`);
    set(one, 'adoptedStyleSheets', [...get(one, 'adoptedStyleSheets'), sheet]);
  }

  function still(one) {
    stopBars(one);
    stopMarquees(one);
    fillDates(one);
    endAnimations(one);
  }

  if (self !== top) {
    offstageDOM.call(globalThis, 'addEventListener', 'load', () => {
      layOut(document);
      still(document);
    });
  }

  return { still, layOut, mayStyle, isStandIn: (field) => standIns.has(field) };
})();
