// Misleading characters in untrusted text.

/** Invisible characters: control (with tabs and line feeds), format (zero-width, bidirectional),
 * private, unassigned and ignorable characters, lone surrogates, the Braille blank, and Unicode's
 * line and paragraph separators. U+FE0E and U+FE0F are allowed after an emoji, and before U+20E3 in
 * a keycap. */
export const HIDDEN =
  /(?!(?<=(?![\d#*])\p{Emoji})[\ufe0e\ufe0f]|(?<=[\d#*])[\ufe0e\ufe0f]\u20e3)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
