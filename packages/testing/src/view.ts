// Reads the snap's screens: their elements, text and field values.
import type { Json } from '@metamask/utils';

export type Element = { type: string; props: Record<string, unknown> };

export function elementsOf(content: unknown): Element[] {
  if (Array.isArray(content)) return content.flatMap(elementsOf);
  if (!isElement(content)) return [];
  return [content, ...elementsOf(content.props.children)];
}

/** Elements that become one line with a label. */
const LABELLED = ['Row', 'Banner', 'Checkbox'];

/** Elements that become one line of text. */
const PLAIN = ['Text', 'Heading', 'Button', 'Radio', 'Option'];

export function linesOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(linesOf);
  if (!isElement(content)) return [];
  const { label, title, value, address, children } = content.props;
  const head = linesOf([label, title]);
  const isField = content.type !== 'Row' && children !== undefined;
  const inner = linesOf([children, address, isField ? undefined : value]);
  if (LABELLED.includes(content.type)) {
    return [[head.join(' '), inner.join(' ')].filter(Boolean).join(': ')];
  }
  return PLAIN.includes(content.type) ? [inner.join('')] : [...head, ...inner];
}

export function valuesOf(content: unknown): Record<string, Json> {
  const fields = elementsOf(content).flatMap(({ props: { name, checked, value } }) => {
    const own = checked ?? value;
    return typeof name === 'string' && own !== undefined ? [[name, own]] : [];
  });
  return Object.fromEntries(fields) as Record<string, Json>;
}

export function isElement(content: unknown): content is Element {
  return typeof content === 'object' && content !== null && 'props' in content;
}
