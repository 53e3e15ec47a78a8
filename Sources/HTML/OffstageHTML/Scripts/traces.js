// Decides whether a document may affect the next document that is written into its page. `document.open` removes the document's
// nodes, but WebKit keeps other state with the page, such as the link colours of `<body link>`. So this lists the elements and
// attributes that are known to leave nothing behind (TracesTests tries every name that WebKit knows). After a document with any
// other name, the next one is loaded by navigation. Runs in Offstage's script world, before `readiness.js`.
'use strict';
globalThis.offstageTraces = (() => {
  // The document is untrusted: its names can hide members of `document` and of forms. So members are read through the prototypes.
  const get = (owner, name) => Object.getOwnPropertyDescriptor(owner.prototype, name).get;
  const nameOf = get(Element, 'localName');
  const fontsOf = get(Document, 'fonts');
  const { getElementsByTagName } = Document.prototype;
  const { getAttributeNames, getAttribute } = Element.prototype;

  const words = (text) => text.trim().split(/\s+/);

  // Created once per page, on first use.
  let harmless;
  const lists = () => ({
    elements: new Set(words(`
      a abbr acronym address area article aside b bdi bdo big blockquote body br button canvas caption center cite code col
      colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5
      h6 head header hgroup hr html i img input ins kbd label legend li listing main map mark menu meta meter nav nobr noembed
      noframes noscript ol optgroup option output p picture pre progress q rb rp rt rtc ruby s samp search section select slot
      small source span strike strong style sub summary sup table tbody td textarea tfoot th thead time title tr tt u ul var wbr
      xmp

      svg animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer
      feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG
      feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile
      feTurbulence filter foreignObject g image line linearGradient marker mask metadata mpath path pattern polygon polyline
      radialGradient rect set stop switch symbol text textPath tspan use

      math annotation maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow
      ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics`)),
    attributes: new Set(words(`
      abbr accept accept-charset accesskey action align alt autocapitalize autocomplete autocorrect axis background bgcolor border
      bordercolor cellpadding cellspacing char charoff charset checked cite class clear color cols colspan compact content
      contenteditable coords datetime decoding dir direction dirname disabled download draggable enctype enterkeyhint exportparts
      face fetchpriority for form formaction formenctype formmethod formnovalidate formtarget frame headers height hidden high href
      hreflang hspace http-equiv id inert inputmode ismap itemid itemprop itemref itemscope itemtype label lang leftmargin list
      loading longdesc low lowsrc marginheight marginwidth max maxlength media method min minlength multiple name nohref noshade
      novalidate nowrap open optimum part pattern ping placeholder popover popovertarget popovertargetaction property readonly
      referrerpolicy rel required results rev reversed role rows rowspan rules scope selected shape size sizes slot span spellcheck
      src srcset start step style summary tabindex target title topmargin translate type usemap valign value version vspace width
      wrap xmlns

      xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show xlink:title xlink:type xml:lang xml:space xmlns:xlink
      accumulate additive alignment-baseline amplitude attributeName attributeType azimuth baseFrequency baseline-shift begin bias
      by calcMode clip clip-path clip-rule clipPathUnits color-interpolation color-interpolation-filters cursor cx cy d
      diffuseConstant display divisor dominant-baseline dur dx dy edgeMode elevation end exponent fill fill-opacity fill-rule filter
      filterUnits flood-color flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant font-weight
      fr from fx fy glyph-orientation-horizontal glyph-orientation-vertical gradientTransform gradientUnits image-rendering in in2
      intercept k1 k2 k3 k4 kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust letter-spacing lighting-color
      limitingConeAngle marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask mask-type maskContentUnits
      maskUnits mode numOctaves offset opacity operator order orient overflow paint-order path pathLength patternContentUnits
      patternTransform patternUnits pointer-events points pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio
      primitiveUnits r radius refX refY repeatCount repeatDur requiredExtensions requiredFeatures restart result rotate rx ry scale
      seed shape-rendering side slope spacing specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles
      stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
      stroke-opacity stroke-width surfaceScale systemLanguage tableValues targetX targetY text-anchor text-decoration text-rendering
      textLength to transform transform-origin unicode-bidi values vector-effect viewBox visibility word-spacing writing-mode x x1
      x2 xChannelSelector y y1 y2 yChannelSelector z

      accent accentunder actiontype alttext bevelled close columnalign columnlines columnspacing columnspan denomalign depth
      displaystyle encoding equalcolumns equalrows fence framespacing largeop linethickness lspace mathbackground mathcolor mathsize
      mathvariant maxsize minsize movablelimits notation numalign rowalign rowlines rowspacing rspace scriptlevel selection separator
      separators stretchy subscriptshift superscriptshift symmetric voffset`)),
    // The values of `<meta name>` and `<meta http-equiv>`.
    names: new Set(words(`
      apple-mobile-web-app-capable application-name author color-scheme copyright creation-date date description distribution
      format-detection generator handheldfriendly keywords language mobileoptimized originator progid rating revisit-after robots
      subject supported-color-schemes theme-color title viewport x-apple-disable-message-reformatting`)),
    directives: new Set(words('content-type x-ua-compatible imagetoolbar')),
  });

  // The names of custom elements contain a hyphen. Without scripts, such elements have no meaning. These names are exceptions.
  const reserved = /^(?:annotation-xml|color-profile|font-face|missing-glyph)/;
  // Names from vocabularies that WebKit does not know, such as `o:p` of an office program.
  const isForeign = (name) => name.includes(':') && !/^xml|^xlink/i.test(name);
  const isHarmlessElement = (name) => name.includes('-') && !reserved.test(name) || isForeign(name);
  const isHarmlessAttribute = (name) => name.startsWith('data-') || name.startsWith('aria-') || isForeign(name);

  const holds = (set, value) => value === null || set.has(value.trim().toLowerCase());
  const isHarmlessMeta = (element) => holds(harmless.names, getAttribute.call(element, 'name'))
    && holds(harmless.directives, getAttribute.call(element, 'http-equiv'));

  function isHarmless(element) {
    const name = nameOf.call(element);
    if (!harmless.elements.has(name) && !isHarmlessElement(name)) return false;
    for (const attribute of getAttributeNames.call(element)) {
      if (!harmless.attributes.has(attribute) && !isHarmlessAttribute(attribute)) return false;
    }
    // A style sheet with a title belongs to a set, and the page remembers the set that was chosen first.
    return name === 'meta' ? isHarmlessMeta(element) : name !== 'style' || getAttribute.call(element, 'title') === null;
  }

  // Takes microseconds for a typical snippet. Besides names, checks the scroll position and the document's own fonts.
  function areLeft() {
    if (scrollX !== 0 || scrollY !== 0 || fontsOf.call(document).size > 0) return true;
    harmless ??= lists();
    // Uses a collection, because a selector's list of matches would stay in memory with the document.
    for (const element of getElementsByTagName.call(document, '*')) if (!isHarmless(element)) return true;
    return false;
  }

  return { areLeft };
})();
