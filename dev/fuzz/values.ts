// Draws hostile values, and small mistakes in valid values.
import type { Json } from '@metamask/utils';
import fc, { type Arbitrary } from 'fast-check';

const ADDRESS = `0x${'9d'.repeat(20)}`;
const HASH = `0x${'1b'.repeat(32)}`;

const texts: readonly string[] = [
  '',
  ' ',
  '0',
  '1',
  '-1',
  '1.5',
  '01',
  '1e3',
  '1e400',
  'NaN',
  'Infinity',
  '-Infinity',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '0x',
  '0X',
  '0x0',
  '0x1',
  '0x01',
  '0x012',
  '0xg',
  '0x-1',
  '0x 1',
  'x0',
  `0x${'f'.repeat(64)}`,
  `0x1${'0'.repeat(64)}`,
  `0x${'f'.repeat(16)}`,
  '0x20000000000001',
  '9007199254740993',
  '115792089237316195423570985008687907853',
  ADDRESS,
  ADDRESS.toUpperCase(),
  ADDRESS.slice(0, -1),
  HASH,
  HASH.slice(2),
  `0x${'0'.repeat(40)}`,
  '0x000000000000000000000000000000000000dEaD',
  'latest',
  'pending',
  'earliest',
  'safe',
  'soon',
  'eip155:1',
  'eip155:0x1',
  'eip155:',
  'eip155:99999999999999999999',
  'solana:mainnet',
  ':',
  'eip155:1/x',
  'low',
  'speedUp',
  '2.0.0',
  '0.6',
  '0.5',
  'eip155:erc4337',
  'personal_sign',
  '__proto__',
  'constructor',
  'toString',
  'http://127.0.0.1:9',
  'http://[::1]:9',
  'ws://127.0.0.1:9',
  'http://',
  '//x',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:,x',
  'http://a:b@127.0.0.1:9',
  '\u202egnp.exe',
  '\u2066\u2069',
  '\ud800',
  '\udfff\ud800',
  '\u200b\u200d\ufeff',
  '**b**',
  '<img src=x onerror=alert(1)>',
  'uint256',
  'uint257',
  'bytes33',
  'int8[-1]',
  'int8[99999999]',
  'Person',
  'EIP712Domain',
  'string[][][]',
  'function',
  'tuple',
  '5dd0ca4d',
];

const MAX_LONG = 20_000;

export function mix<Value>(
  ...rows: readonly (readonly [weight: number, arbitrary: Arbitrary<Value>])[]
): Arbitrary<Value> {
  return fc.oneof(...rows.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

export function chance(percent: number): Arbitrary<boolean> {
  return mix([100 - percent, fc.constant(false)], [percent, fc.constant(true)]);
}

export function sometimes<Value>(
  percent: number,
  arbitrary: Arbitrary<Value>,
): Arbitrary<Value | undefined> {
  return mix<Value | undefined>(
    [100 - percent, fc.constant(undefined)],
    [percent, arbitrary],
  );
}

/** A number that selects an item of a list whose length is not known yet. */
export const anyIndex = fc.noBias(fc.nat());

export function itemAt<Item>(items: readonly Item[], index: number): Item {
  if (items.length === 0) throw new Error('There is nothing to pick.');
  return items[index % items.length] as Item;
}

/** Draws hex digits without a prefix. */
export function hexDigits(minLength: number, maxLength = minLength): Arbitrary<string> {
  const unit = fc.constantFrom(...'0123456789abcdef');
  return fc.string({ unit, minLength, maxLength, size: 'max' });
}

const someText = fc.constantFrom(...texts);

/** Draws texts, of which one in a hundred is long. */
export const anyText: Arbitrary<string> = mix(
  [70, someText],
  [15, fc.string({ unit: 'binary' })],
  [8, fc.tuple(someText, someText).map((both) => both.join(''))],
  [6, hexDigits(0, 79).map((digits) => `0x${digits}`)],
  [
    1,
    fc
      .tuple(fc.constantFrom('a', '0', '0x0', '🦊', '\n', '\u202e'), fc.nat(MAX_LONG))
      .map(([part, times]) => part.repeat(times)),
  ],
);

export const anyName: Arbitrary<string> = mix(
  [
    6,
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'prototype',
      'hasOwnProperty',
    ),
  ],
  [4, anyText.map((text) => text.slice(0, 64))],
);

const largeValue: Arbitrary<Json> = fc
  .tuple(fc.nat(MAX_LONG), fc.nat(4))
  .map(([size, kind]) => {
    if (kind === 0) return 'f'.repeat(size * 10);
    if (kind === 1) return Array.from({ length: size }, () => 0);
    if (kind === 2) {
      const entries = Array.from({ length: size }, (_, index) => [`k${index}`, 0]);
      return Object.fromEntries(entries) as Json;
    }
    let deep: Json = 0;
    for (let level = size % 400; level > 0; level -= 1) {
      deep = kind === 3 ? [deep] : { a: deep };
    }
    return deep;
  });

/** Draws values of any kind, of which one in a hundred is large or deep. */
export const anyJunk: Arbitrary<Json> = fc.letrec<{ junk: Json }>((tie) => ({
  junk: mix<Json>(
    [50, anyText],
    [45, fc.jsonValue() as Arbitrary<Json>],
    [1, largeValue],
    [4, fc.tuple(tie('junk'), tie('junk'))],
  ),
})).junk;

type Mistake = {
  place: number;
  make: (place: Place, mistake: Mistake) => void;
  /** Selects one of several forms of the mistake. */
  form: number;
  junk: Json;
  name: string;
  text: string;
};

type Holder = Json[] | Record<string, Json>;

type Place = { holder: Holder; key: string };

const isHolder = (value: Json): value is Holder =>
  typeof value === 'object' && value !== null;

const read = ({ holder, key }: Place): Json =>
  (holder as Record<string, Json>)[key] ?? null;

// Writes an own property, even for `__proto__`.
function write({ holder, key }: Place, given: Json): void {
  const value = structuredClone(given);
  const property = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(holder, key, property);
}

const replace: Mistake['make'] = (place, { junk }) => write(place, junk);

const remove: Mistake['make'] = ({ holder, key }) => {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
};

const distort: Mistake['make'] = (place, mistake) => {
  const value = read(place);
  const forms = listDistorted(value, mistake);
  if (forms.length === 0) replace(place, mistake);
  else write(place, itemAt(forms, mistake.form));
};

const addField: Mistake['make'] = (place, mistake) => {
  const value = read(place);
  const junk = structuredClone(mistake.junk);
  if (Array.isArray(value)) {
    value.splice(mistake.form % (value.length + 1), 0, junk);
  } else if (isHolder(value)) write({ holder: value, key: mistake.name }, junk);
  else distort(place, mistake);
};

const double: Mistake['make'] = (place, { name }) => {
  const { holder } = place;
  if (Array.isArray(holder)) holder.push(structuredClone(read(place)));
  else write({ holder, key: name }, read(place));
};

const convert: Mistake['make'] = (place, { form }) => {
  const value = read(place);
  if (Array.isArray(value)) {
    write(place, { ...(value as unknown as Record<string, Json>) });
  } else if (isHolder(value)) {
    write(place, itemAt([Object.entries(value), Object.values(value)], form));
  } else write(place, itemAt([[value], { value }, String(value)], form));
};

const exchange: Mistake['make'] = ({ holder, key }, { form }) => {
  const other = itemAt(Object.keys(holder), form);
  const [first, second] = [read({ holder, key }), read({ holder, key: other })];
  write({ holder, key }, second);
  write({ holder, key: other }, first);
};

const rename: Mistake['make'] = ({ holder, key }, { form, name }) => {
  if (Array.isArray(holder)) {
    holder.reverse();
    return;
  }
  const value = read({ holder, key });
  delete holder[key];
  const names = [key.toUpperCase(), `${key} `, `${key}\u200b`, name];
  write({ holder, key: itemAt(names, form) }, value);
};

function listDistorted(value: Json, { form, text }: Mistake): Json[] {
  if (typeof value === 'boolean') return [!value, String(value), 1];
  if (typeof value === 'number') {
    const isNatural = Number.isInteger(value) && value >= 0;
    return [
      -value,
      value + 1,
      value - 1,
      value / 3,
      value * 2 ** 53,
      String(value),
      isNatural ? `0x${value.toString(16)}` : '0x',
      null,
    ];
  }
  if (typeof value !== 'string') return [];
  const at = form % (value.length + 1);
  return [
    value.slice(0, at),
    value.slice(0, at) + text.slice(0, 20) + value.slice(at),
    value.toUpperCase(),
    `${value} `,
    `0x0${value.slice(2)}`,
    value.replace('0x', ''),
    `-${value}`,
    value.repeat(1 + (form % 40)),
    `0x${form.toString(16).repeat(value.length).slice(2, value.length)}`,
    Number.isFinite(Number(value)) ? Number(value) : value.length,
    [...value].reverse().join(''),
    text,
  ];
}

// Almost valid values get furthest, so small mistakes are more frequent.
const anyMistake: Arbitrary<Mistake> = fc.record({
  place: anyIndex,
  make: mix(
    [6, fc.constantFrom(distort, replace)],
    [4, fc.constantFrom(remove, addField)],
    [4, fc.constantFrom(double, convert, exchange, rename)],
  ),
  form: anyIndex,
  junk: anyJunk,
  name: anyName,
  text: anyText,
});

type Spoil = <Value extends Json>(value: Value) => Json;

/** Draws functions that make one to three mistakes in a value. */
export const anySpoil: Arbitrary<Spoil> = fc
  .array(anyMistake, { minLength: 1, maxLength: 3 })
  .map((mistakes) => (value) => {
    const root: Record<string, Json> = { value: structuredClone(value) };
    for (const mistake of mistakes) {
      const places = listPlaces(root);
      if (places.length > 0) mistake.make(itemAt(places, mistake.place), mistake);
    }
    return root.value ?? null;
  });

function listPlaces(holder: Holder): Place[] {
  return Object.keys(holder).flatMap((key) => {
    const value = read({ holder, key });
    return [{ holder, key }, ...(isHolder(value) ? listPlaces(value) : [])];
  });
}
