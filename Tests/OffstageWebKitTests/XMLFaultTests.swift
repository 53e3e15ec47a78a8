import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// An error in an XML document names the location and the problem, and quotes nothing.
final class XMLFaultTests: XCTestCase {
    func testWordsQuoteNothing() throws {
        let root = "<r xmlns='http://www.w3.org/1999/xhtml'"
        for (document, words) in [
            ("\(root)><Canary>x</b></r>", "an end tag does not match"), ("\(root)><Canary>", "is not closed"),
            ("\(root)>&Canary;</r>", "an entity is not declared"), ("\(root)/>Canary", "follows the root element"),
            ("Canary", "the root element is missing"), ("\(root)>Canary & x</r>", "write &amp;"),
            ("\(root)>Canary < x</r>", "write &lt;"), ("\(root) a='Canary<'/>", "write &lt;"),
            ("\(root) a=Canary/>", "not in quotes"), ("\(root) Canary/>", "has no value"),
            ("\(root) Canary='' Canary=''/>", "twice"), ("\(root) a='1'Canary='2'/>", "no space before it"),
            ("\(root)><Canary:a/></r>", "a namespace prefix is not declared"),
            ("\(root)>&#xFFFFFFFF;Canary</r>", "does not name a character"),
            ("\(root)>Canary\u{1}</r>", "not allowed in XML"),
            ("\(root)><!-- Canary -- x --></r>", "a comment"), ("\(root)><![CDATA[ Canary</r>", "is not closed"),
            ("\(root)> <?xml version='1.0'?>Canary</r>", "XML declaration"), ("<!DOCTYPE Canary", "document type"),
            ("<!DOCTYPE r [<!ENTITY Canary '&Canary;'>]>\(root)>&Canary;</r>", "its entities"),
        ] {
            var snippet = Snippet(document, identifier: "test", width: 100)
            snippet.type = .xhtml
            let error = "\(try XCTUnwrap(refusal(of: snippet), document))"
            XCTAssertTrue(error.contains(words), "\(document): \(error)")
            XCTAssertFalse(error.contains("Canary"), error)
            XCTAssertTrue(error.contains("XML error"), error)
        }
    }
}
