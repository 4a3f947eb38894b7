// Pieces of an inline SVG. Colours hold on a light and on a dark ground: MetaMask does not
// tell which it has.

/** Colours of the charts. */
export const colors = {
  text: '#7a8494',
  grid: '#8a94a4',
  baseFee: '#4c7df0',
  low: '#2f9e62',
  medium: '#c98a12',
  high: '#dd4f4f',
} as const;

type Attributes = Record<string, string | number>;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Write an element; `children` are elements, or text that is escaped already. */
export function element(
  name: string,
  attributes: Attributes,
  children: readonly string[] = [],
): string {
  const own = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeText(String(value))}"`,
  );
  return `<${name}${own.join('')}>${children.join('')}</${name}>`;
}

/** Write a text. */
export function label(text: string, attributes: Attributes): string {
  const style = {
    'font-family': 'sans-serif',
    'font-size': 13,
    fill: colors.text,
    ...attributes,
  };
  return element('text', style, [escapeText(text)]);
}

/** Write a picture of a size, on nothing. */
export function picture(
  width: number,
  height: number,
  children: readonly string[],
): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  };
  return element('svg', attributes, children);
}

/** Write a position with one decimal: more nobody sees. */
export function at(position: number): number {
  return Math.round(position * 10) / 10;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);
}
