// Misleading characters in untrusted text.

/** Invisible characters: control, format (zero-width, bidirectional), private, unassigned and
 * ignorable characters, lone surrogates, the Braille blank, line breaks other than line feeds.
 * Variation selectors are allowed after an emoji. */
export const HIDDEN =
  /(?!(?<=\p{Emoji})[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
