/** The characters that the fonts of a PDF have. This file loads no font, so that every server process can use it. */

/** Matches a character that no font has. A test compares the list with the fonts. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: combining marks are matched as separate characters here.
  /[^ -~\u00a0-\u01c3\u01c5-\u0254\u0256-\u027b\u027e-\u0284\u0286-\u0290\u0292-\u02a4\u02a6-\u02cc\u02ce-\u02d7\u02da\u02dc-\u0301\u0303\u0304\u0308\u0309\u0323\u0329\u0374-\u0376\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03d7\u03d9\u03db-\u03dd\u03e1\u03f0-\u03f6\u03f9\u03fa\u03fc-\u0479\u0480-\u04ff\u0524\u0525\u052f\u1d00\u1d0d\u1d1b\u1d43\u1d47-\u1d49\u1d4d\u1d4f\u1d50\u1d52\u1d56-\u1d58\u1d5b\u1d62-\u1d65\u1d9c\u1da0\u1dbb\u1dbf\u1e00-\u1e9b\u1e9d-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fc4\u1fc6-\u1fd3\u1fd6-\u1fdb\u1fdd-\u1fef\u1ff2-\u1ff4\u1ff6-\u1ffe\u2002\u2009\u200b\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020\u2022\u2026\u2032\u2033\u2039\u203a\u2044\u20a0-\u20af\u20b1-\u20b5\u20b8-\u20ba\u20bc-\u20bf\u2113\u2116\u2122\u2191\u2193\u2212\u2215\u2c7c\u2c7f\u2dff\ua69f\ua7ff\ufeff\ufffd\uffff\s\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

/** Returns the distinct characters of a text that a PDF prints as the replacement character. */
export function unprintableIn(text: string): string[] {
  const found = new Set(text.normalize('NFC').match(UNPRINTABLE))
  // Characters such as full-width letters are not returned, because they are printed in their compatibility form.
  return [...found].filter((character) => character.normalize('NFKC').search(UNPRINTABLE) >= 0)
}
