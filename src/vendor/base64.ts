// Replaces @scure/base, of which @metamask/utils takes Base64 alone.

/** Base64 with padding (RFC 4648, section 4). */
export const base64 = {
  encode: (bytes: Uint8Array): string => {
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  },

  /** @throws {Error} If the text is not exactly what `encode` writes. */
  decode: (text: string): Uint8Array => {
    // `atob` alone also takes white space, missing padding and unused bits.
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    if (base64.encode(bytes) !== text) throw new Error('The text is not Base64.');
    return bytes;
  },
};
