// Letters that are taken for others: what a domain label looks like to a hasty reader. A
// choice of Unicode's list (UTS #39): the letters that stand for those of ASCII in hosts.

/** Letters of other scripts, and rare Latin ones, by the letter of ASCII they look like. */
const looks: Readonly<Record<string, string>> = {
  a: 'аɑαａ',
  b: 'Ььƅ',
  c: 'сϲⅽ',
  d: 'ԁⅾ',
  e: 'еҽ℮',
  f: 'ſϝ',
  g: 'ɡցǥ',
  h: 'һհ',
  i: 'іıɩιӏɪ',
  j: 'јϳ',
  k: 'κкҡ',
  l: 'ӏⅼ|ǀ',
  m: 'мⅿ',
  n: 'пոη',
  o: 'оοσօ०௦ഠ',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'тτ',
  u: 'υսцᴜ',
  v: 'νѵⅴ',
  w: 'ԝшѡω',
  x: 'хχⅹ',
  y: 'уγү',
  z: 'ᴢ',
};

const byLetter: ReadonlyMap<string, string> = new Map(
  Object.entries(looks).flatMap(([plain, others]) =>
    [...others].map((other) => [other, plain] as const),
  ),
);

/** What of ASCII alone is taken for something else. */
const twins = [
  [/rn/gu, 'm'],
  [/vv/gu, 'w'],
  [/[1il]/gu, 'l'],
  [/0/gu, 'o'],
  [/5/gu, 's'],
] as const;

/** Write a text in the letters of ASCII that it seems to have: its accents go, too. */
export function toPlainLook(text: string): string {
  return [...text.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((letter) => byLetter.get(letter) ?? letter)
    .join('');
}

/** Tell whether other letters than those of ASCII make a text look like one of ASCII. */
export function imitatesAscii(text: string): boolean {
  const foreign = [...text].filter((letter) => letter > '\u007f');
  // Accents show: a word that has them is taken for no other.
  return foreign.some((letter) => byLetter.has(letter)) && isAscii(toPlainLook(text));
}

/** Write a text so that all that are taken for each other are the same. */
export function toSkeleton(text: string): string {
  return twins.reduce(
    (folded, [pattern, one]) => folded.replace(pattern, one),
    toPlainLook(text.toLowerCase()),
  );
}

function isAscii(text: string): boolean {
  return !/[^\u0020-\u007e]/u.test(text);
}
