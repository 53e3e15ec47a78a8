/// The names of elements and attributes that WebKit 2.50 knows in HTML, SVG and MathML.
enum Vocabulary {
    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// HTML elements that may be anywhere in a body.
    static let elements = words(
        """
        a abbr acronym address area article aside b bdi bdo big blockquote button canvas center cite code data datalist dd del
        details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img
        input ins kbd label legend li listing main map mark menu meter nav nobr noembed noframes noscript ol optgroup option
        output p picture pre progress q rb rp rt rtc ruby s samp search section select slot small source span strike strong sub
        summary sup textarea time tt u ul var wbr xmp title style
        """)

    /// HTML elements that belong in a table.
    static let tableElements = words(
        """
        caption colgroup col thead tbody tfoot tr td th table
        """)

    /// HTML elements that load, run, or change how the rest is parsed.
    static let otherElements = words(
        """
        applet attachment audio base basefont bgsound command embed frame frameset iframe image keygen layer link marquee
        menuitem meta model nolayer object param plaintext script template track video selectedcontent fencedframe portal
        """)

    /// SVG elements, without `svg` itself.
    static let svgElements = words(
        """
        a animate animateColor animateMotion animateTransform set circle clipPath cursor defs desc ellipse feBlend feColorMatrix
        feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood
        feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight
        feSpecularLighting feSpotLight feTile feTurbulence filter font font-face font-face-format font-face-name font-face-src
        font-face-uri foreignObject g glyph glyphRef hkern image line linearGradient marker mask metadata missing-glyph mpath
        path pattern polygon polyline radialGradient rect script stop style switch symbol text textPath title tref tspan use
        view vkern
        """)

    /// MathML elements, without `math` itself.
    static let mathElements = words(
        """
        annotation annotation-xml maction menclose merror mfenced mfrac mglyph mi mlabeledtr mmultiscripts mn mo mover mpadded
        mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none
        semantics
        """)

    /// HTML attributes, without event handlers and accessibility states.
    static let attributes = words(
        """
        abbr accept accept-charset accesskey action align alink allow allowfullscreen alpha alt archive as async
        attributiondestination attributionsourceid attributionsourcenonce autocapitalize autocomplete autocorrect autofocus
        autopictureinpicture autoplay autosave axis background behavior bgcolor bgproperties blocking border bordercolor capture
        cellborder cellpadding cellspacing challenge char charoff charset checked cite class classid clear closedby code
        codebase codetype color colorspace cols colspan command commandfor compact composite content contenteditable controls
        coords credentialless crossorigin csp data datetime declare decoding default defer dir direction dirname disabled
        disablepictureinpicture disableremoteplayback disposition download draggable elementtiming enctype end enterkeyhint
        environmentmap event expanded exportparts face fetchpriority filename focused for form formaction formenctype formmethod
        formnovalidate formtarget frame frameborder headers headingoffset headingreset height hidden high href hreflang hspace
        http-equiv id imagesizes imagesrcset incremental indeterminate inert inputmode integrity interactive is ismap itemid
        itemprop itemref itemscope itemtype keytype kind label lang language leftmargin link list loading longdesc loop loopend
        loopstart low lowsrc manifest marginheight marginwidth max maxlength mayscript media mediagroup method min minlength
        multiple muted name nohref nomodule nonce noportal noresize noshade novalidate nowrap object open optimum part pattern
        ping placeholder playcount playsinline pluginspage pluginurl popover popovertarget popovertargetaction poster precision
        preload primary profile progress prompt property pseudo readonly referrerpolicy rel required results rev reversed role
        rows rowspan rules sandbox scheme scope scoped scrollamount scrolldelay scrolling select selected shadowrootclonable
        shadowrootcustomelementregistry shadowrootdelegatesfocus shadowrootmode shadowrootreferencetarget shadowrootserializable
        shape size sizes slot sortable sortdirection span spellcheck src srcdoc srclang srcset stagemode standby start step
        style subtitle summary switch tabindex tableborder target text title top topmargin translate truespeed type uiactions
        usemap useragentpart valign value valuetype version vlink vspace webkit-playsinline webkitallowfullscreen
        webkitattachmentbloburl webkitattachmentid webkitattachmentpath webkitdirectory webkitdropzone width wrap
        writingsuggestions x-apple-data-detectors x-apple-data-detectors-result x-apple-data-detectors-type x-apple-pdf-
        annotation x-itunes-inherit-uri-query-component x-webkit-airplay x-webkit-grammar x-webkit-imagemenu x-webkit-speech
        x-webkit-wirelessvideoplaybackdisabled xmlns
        """)

    /// HTML event handlers.
    static let handlers = words(
        """
        onabort onafterprint onanimationcancel onanimationend onanimationiteration onanimationstart onautocomplete
        onautocompleteerror onauxclick onbeforecopy onbeforecut onbeforeinput onbeforeload onbeforematch onbeforepaste
        onbeforeprint onbeforetoggle onbeforeunload onblur oncanplay oncanplaythrough oncommand
        oncontentvisibilityautostatechange oncontextmenu oncopy oncuechange oncut ondblclick ondevicechange ondrag ondragend
        ondragenter ondragleave ondragover ondragstart ondrop ondurationchange onemptied onended onfocus onfocusin onfocusout
        onformdata onfullscreenchange onfullscreenerror ongamepadconnected ongamepaddisconnected ongesturechange ongestureend
        ongesturestart ongotpointercapture onhashchange oninput oninvalid onkeydown onkeypress onkeyup onlanguagechange onload
        onloadeddata onloadedmetadata onloadstart onlostpointercapture onmessage onmessageerror onmousedown onmouseenter
        onmouseleave onmousemove onmouseout onmouseover onmouseup onmousewheel onoffline ononline onorientationchange onpagehide
        onpagereveal onpageshow onpageswap onpaste onpause onplay onplaying onpointercancel onpointerdown onpointerenter
        onpointerleave onpointermove onpointerout onpointerover onpointerup onpopstate onprogress onratechange onredraw
        onrejectionhandled onreset onresize onscroll onscrollend onsearch onsecuritypolicyviolation onseeked onseeking onselect
        onselectionchange onselectstart onslotchange onstalled onstorage onsubmit onsuspend ontimeupdate ontoggle ontouchcancel
        ontouchend ontouchforcechange ontouchmove ontouchstart ontransitioncancel ontransitionend ontransitionrun
        ontransitionstart onuncapturederror onunhandledrejection onunload onvolumechange onwaiting onwebkitanimationend
        onwebkitanimationiteration onwebkitanimationstart onwebkitbeginfullscreen onwebkitcurrentplaybacktargetiswirelesschanged
        onwebkitendfullscreen onwebkitfullscreenchange onwebkitfullscreenerror onwebkitkeyadded onwebkitkeyerror
        onwebkitkeymessage onwebkitmouseforcechanged onwebkitmouseforcedown onwebkitmouseforceup onwebkitmouseforcewillbegin
        onwebkitneedkey onwebkitplaybacktargetavailabilitychanged onwebkitpresentationmodechanged onwebkitspeechchange
        onwebkittransitionend onwheel
        """)

    /// HTML accessibility states.
    static let accessibilityAttributes = words(
        """
        aria-activedescendant aria-atomic aria-autocomplete aria-braillelabel aria-brailleroledescription aria-busy aria-checked
        aria-colcount aria-colindex aria-colindextext aria-colspan aria-controls aria-current aria-describedby aria-description
        aria-details aria-disabled aria-dropeffect aria-errormessage aria-expanded aria-flowto aria-grabbed aria-haspopup aria-
        help aria-hidden aria-invalid aria-keyshortcuts aria-label aria-labeledby aria-labelledby aria-level aria-live aria-
        modal aria-multiline aria-multiselectable aria-orientation aria-placeholder aria-posinset aria-pressed aria-readonly
        aria-relevant aria-required aria-roledescription aria-rowcount aria-rowindex aria-rowindextext aria-rowspan aria-
        selected aria-setsize aria-sort aria-valuemax aria-valuemin aria-valuenow aria-valuetext
        """)

    /// Attributes of SVG and MathML that HTML does not have.
    static let graphicAttributes = words(
        """
        accent accent-height accentunder accumulate actiontype additive alignment-baseline alphabetic alttext amplitude animate
        arabic-form ascent attributeName attributeType azimuth baseFrequency baseProfile baseline-shift bbox begin bevelled bias
        buffered-rendering by calcMode cap-height clip clip-path clip-rule clipPathUnits close color-interpolation color-
        interpolation-filters columnalign columnlines columnspacing columnspan contentScriptType contentStyleType cursor cx cy d
        definitionURL denomalign depth descent diffuseConstant display displaystyle divisor dominant-baseline dur dx dy edgeMode
        elevation encoding equalcolumns equalrows exponent externalResourcesRequired fence fill fill-opacity fill-rule filter
        filterUnits flood-color flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant font-
        weight fontfamily fontsize fontstyle fontweight format fr framespacing from fx fy g1 g2 glyph-name glyph-orientation-
        horizontal glyph-orientation-vertical glyphRef gradientTransform gradientUnits hanging horiz-adv-x horiz-origin-x horiz-
        origin-y ideographic image-rendering in in2 intercept k k1 k2 k3 k4 kernelMatrix kernelUnitLength kerning keyPoints
        keySplines keyTimes largeop lengthAdjust letter-spacing lighting-color limitingConeAngle linethickness local lspace
        marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask mask-type maskContentUnits maskUnits
        mathbackground mathcolor mathematical mathsize mathvariant maxsize minsize mode movablelimits notation numOctaves
        numalign offset opacity operator order orient orientation origin overflow overline-position overline-thickness paint-
        order panose-1 path pathLength patternContentUnits patternTransform patternUnits pointer-events points pointsAtX
        pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY rendering-intent repeatCount
        repeatDur requiredExtensions requiredFeatures restart result rotate rowalign rowlines rowspacing rspace rx ry scale
        scriptlevel seed selection separator separators shape-rendering side slope spacing specularConstant specularExponent
        spreadMethod startOffset stdDeviation stemh stemv stitchTiles stop-color stop-opacity stretchy strikethrough-position
        strikethrough-thickness stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
        stroke-opacity stroke-width subscriptshift superscriptshift surfaceScale symmetric systemLanguage tableValues targetX
        targetY text-anchor text-decoration text-rendering textLength to transform transform-origin u1 u2 underline-position
        underline-thickness unicode unicode-bidi unicode-range units-per-em v-alphabetic v-hanging v-ideographic v-mathematical
        values vector-effect vert-adv-y vert-origin-x vert-origin-y viewBox viewTarget visibility voffset widths word-spacing
        writing-mode x x-height x1 x2 xChannelSelector xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show xlink:title
        xlink:type xml:base xml:lang xml:space xmlns:xlink y y1 y2 yChannelSelector z zoomAndPan
        """)
}
