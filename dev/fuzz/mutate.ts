// What can be wrong with a value that was right: one to three of its parts are dropped,
// doubled, added to, replaced, turned into another type, or exchanged.
import type { Json } from '@metamask/utils';

import { makeHex, makeJunk, makeName, makeText } from './junk';
import type { Random } from './random';

type Place = { holder: Json[] | Record<string, Json>; key: string };

type Mutate = (place: Place, random: Random) => void;

/** Make a copy of a value in which something is wrong. */
export function mutate(value: Json, random: Random): Json {
  const root: Record<string, Json> = { value: structuredClone(value) };
  for (let time = random.below(3); time >= 0; time -= 1) {
    const places = listPlaces(root);
    if (places.length > 0) random.pick(mutations)(random.pick(places), random);
  }
  return root.value ?? null;
}

function listPlaces(holder: Place['holder']): Place[] {
  return Object.keys(holder).flatMap((key) => {
    const value = read({ holder, key });
    const inside = isHolder(value) ? listPlaces(value) : [];
    return [{ holder, key }, ...inside];
  });
}

const isHolder = (value: Json): value is Place['holder'] =>
  typeof value === 'object' && value !== null;

const read = ({ holder, key }: Place): Json =>
  (holder as Record<string, Json>)[key] ?? null;

// As an own property, whatever its name.
function write({ holder, key }: Place, value: Json): void {
  const property = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(holder, key, property);
}

const replace: Mutate = (place, random) => write(place, makeJunk(random));

const remove: Mutate = ({ holder, key }) => {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
};

const bend: Mutate = (place, random) => {
  const value = read(place);
  if (typeof value === 'string') write(place, bendText(value, random));
  else if (typeof value === 'number') write(place, bendNumber(value, random));
  else if (typeof value === 'boolean') {
    write(place, random.pick([!value, String(value), 1]));
  } else replace(place, random);
};

const addField: Mutate = (place, random) => {
  const value = read(place);
  if (Array.isArray(value)) {
    value.splice(random.below(value.length + 1), 0, makeJunk(random));
  } else if (isHolder(value)) {
    write({ holder: value, key: makeName(random) }, makeJunk(random));
  } else bend(place, random);
};

const double: Mutate = (place, random) => {
  const { holder } = place;
  if (Array.isArray(holder)) holder.push(structuredClone(read(place)));
  else write({ holder, key: makeName(random) }, structuredClone(read(place)));
};

const turn: Mutate = (place, random) => {
  const value = read(place);
  if (Array.isArray(value)) {
    write(place, { ...(value as unknown as Record<string, Json>) });
  } else if (isHolder(value)) {
    const entries = Object.entries(value);
    write(place, random.chance(0.5) ? entries : Object.values(value));
  } else write(place, random.pick([[value], { value }, String(value)]));
};

const exchange: Mutate = ({ holder, key }, random) => {
  const other = random.pick(Object.keys(holder));
  const [first, second] = [read({ holder, key }), read({ holder, key: other })];
  write({ holder, key }, second);
  write({ holder, key: other }, first);
};

const rename: Mutate = (place, random) => {
  const { holder, key } = place;
  if (Array.isArray(holder)) holder.reverse();
  else {
    const value = read(place);
    delete holder[key];
    const name = random.pick([
      key.toUpperCase(),
      `${key} `,
      `${key}\u200b`,
      makeName(random),
    ]);
    write({ holder, key: name }, value);
  }
};

// What is nearly right goes deepest.
const mutations: readonly Mutate[] = [
  ...[bend, bend, bend, replace, replace, replace, remove, remove],
  ...[addField, addField, double, turn, exchange, rename],
];

function bendText(text: string, random: Random): Json {
  const at = random.below(text.length + 1);
  const ways: readonly (() => Json)[] = [
    () => text.slice(0, at),
    () => text.slice(0, at) + makeText(random).slice(0, 20) + text.slice(at),
    () => text.toUpperCase(),
    () => `${text} `,
    () => `0x0${text.slice(2)}`,
    () => text.replace('0x', ''),
    () => `-${text}`,
    () => text.repeat(1 + random.below(40)),
    () => `0x${makeHex(random, Math.max(0, text.length - 2))}`,
    () => (Number.isFinite(Number(text)) ? Number(text) : text.length),
    () => [...text].reverse().join(''),
    () => makeText(random),
  ];
  return random.pick(ways)();
}

function bendNumber(value: number, random: Random): Json {
  const ways: readonly (() => Json)[] = [
    () => -value,
    () => value + 1,
    () => value - 1,
    () => value / 3,
    () => value * 2 ** 53,
    () => String(value),
    () => (Number.isInteger(value) && value >= 0 ? `0x${value.toString(16)}` : '0x'),
    () => null,
  ];
  return random.pick(ways)();
}
