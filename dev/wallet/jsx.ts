// Reads a snap's UI as a person would: its words, and the elements that can be used.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { getJsxChildren } from '@metamask/snaps-utils';

/** An element with the name of the form that it stands in, if any. */
export type Found = { element: JSXElement; form?: string };

/** Props whose text is shown. Others are names, colours, sizes and pictures. */
const SHOWN_PROPS = [
  'title',
  'label',
  'content',
  'description',
  'address',
  'value',
  'extra',
  'placeholder',
  'error',
  'alt',
];

/** Elements whose children run on in one line. */
const INLINE = [
  'Text',
  'Heading',
  'Bold',
  'Italic',
  'Link',
  'Button',
  'Option',
  'Radio',
];

/**
 * Flatten a tree to the text that it shows.
 *
 * @param node - An element or a text.
 * @returns The text, one line for each block.
 */
export function toText(node: JSXElement | string): string {
  if (typeof node === 'string') return node;
  const props: Record<string, unknown> = { ...node.props };
  const shown = SHOWN_PROPS.map((name) => props[name]).map((prop) =>
    typeof prop === 'string' || isElement(prop) ? toText(prop) : '',
  );
  const children = listChildren(node)
    .map(toText)
    .join(INLINE.includes(node.type) ? '' : '\n');
  return [...shown, children].filter((text) => text !== '').join('\n');
}

/**
 * List a tree's elements from the top.
 *
 * @param element - The tree.
 * @param form - The form around it, if any.
 * @returns Every element, with its form.
 */
export function listElements(element: JSXElement, form?: string): Found[] {
  const inside = element.type === 'Form' ? element.props.name : form;
  const children = listChildren(element).filter((child) => typeof child !== 'string');
  return [
    { element, ...(inside !== undefined && { form: inside }) },
    ...children.flatMap((child) => listElements(child, inside)),
  ];
}

/**
 * Get the element with a name, as the person sees it.
 *
 * @param content - The tree.
 * @param name - The element's `name`.
 * @returns The element.
 * @throws {Error} If there is none or it is disabled; the message lists the names.
 */
export function getElement(content: JSXElement, name: string): Found {
  const named = listElements(content).filter(
    ({ element }) => 'name' in element.props && element.type !== 'Form',
  );
  const found = named.find(({ element }) => getName(element) === name);
  if (!found) {
    const names = named.map(({ element }) => getName(element)).join(', ');
    throw new Error(`The screen has no element named "${name}", only: ${names}.`);
  }
  if ('disabled' in found.element.props && found.element.props.disabled) {
    throw new Error(`The element "${name}" is disabled.`);
  }
  // A button may name the form that it belongs to from outside of it.
  const { props } = found.element;
  return 'form' in props && props.form ? { ...found, form: props.form } : found;
}

// A list within the children may hold null, which shows nothing, as a child may.
function listChildren(element: JSXElement): (JSXElement | string)[] {
  return getJsxChildren(element).filter(
    (child: JSXElement | string | null) => child !== null,
  );
}

function getName(element: JSXElement): unknown {
  return 'name' in element.props ? element.props.name : undefined;
}

function isElement(value: unknown): value is JSXElement {
  return typeof value === 'object' && value !== null && 'type' in value;
}
