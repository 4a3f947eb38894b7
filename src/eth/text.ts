// Characters of foreign texts that mislead whoever reads them.

/** What no reader sees: control, format (zero-width, bidirectional), private, unassigned and
 * ignorable characters, halves of a pair, the blank of Braille, line breaks that are no
 * line feeds. Selectors of how an emoji is drawn are left where there is one. */
export const HIDDEN =
  /(?!(?<=\p{Emoji})[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
