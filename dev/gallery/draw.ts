// Draws components of the Snaps SDK as HTML that resembles MetaMask's.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { Children, createElement, type ReactElement, type ReactNode } from 'react';

type ComponentType = JSXElement['type'];

/** Draws an element. Throws if the gallery cannot draw its type. */
export function draw({ type, props }: JSXElement): ReactNode {
  if (!Object.hasOwn(drawers, type)) {
    throw new Error(`The gallery cannot draw a component of the type "${type}".`);
  }
  return (drawers[type] as (props: unknown) => ReactNode)(props);
}

export function drawScreen(content: JSXElement): ReactNode {
  if (content.type === 'Container') return draw(content);
  return tag('div.container', tag('main.body', draw(content)));
}

/** Creates an HTML element from a selector such as `div.box.center`. */
export function tag(
  selector: string,
  content?: ReactNode,
  attributes: object = {},
): ReactElement {
  const [name = '', ...classes] = selector.split('.');
  const className = classes.join(' ') || undefined;
  const props = { className, ...attributes };
  return createElement(name, props, ...Children.toArray(content));
}

/** Returns a data URL, in which scripts do not run. MetaMask does the same. */
export function toImageAddress(svg: string): string {
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

function drawAll(node: unknown): ReactNode[] {
  if (Array.isArray(node)) return node.flatMap(drawAll);
  const isText = typeof node === 'string' || typeof node === 'number';
  return isText ? [node] : elementsIn(node).map(draw);
}

function elementsIn(node: unknown): JSXElement[] {
  if (Array.isArray(node)) return node.flatMap(elementsIn);
  const isElement = typeof node === 'object' && node !== null && 'type' in node;
  return isElement ? [node as JSXElement] : [];
}

const drawers: {
  [Type in ComponentType]?: (
    props: Extract<JSXElement, { type: Type }>['props'],
  ) => ReactNode;
} = {
  Container: ({ children }) => {
    const [body, footer] = elementsIn(children);
    return tag('div.container', [tag('main.body', drawAll(body)), ...drawAll(footer)]);
  },
  Box: ({ direction = 'vertical', alignment = 'start', children }) =>
    tag(`div.box.${direction}.align-${alignment}`, drawAll(children)),
  Section: ({ children }) => tag('section.section.vertical', drawAll(children)),
  CollapsibleSection: ({ label, isExpanded = false, children }) => {
    const summary = [tag('span', label), drawIcon('arrow-down')];
    const parts = [tag('summary', summary), tag('div.box.vertical', drawAll(children))];
    return tag('details.section.fold', parts, { open: isExpanded });
  },
  Footer: ({ children }) => {
    const buttons = elementsIn(children);
    const drawn = buttons.map((button, index) => {
      const place = index === buttons.length - 1 ? 'primary' : 'secondary';
      return tag(`span.${place}`, draw(button));
    });
    return tag('footer', drawn);
  },
  Banner: ({ title, severity, children }) =>
    tag(`div.banner.${severity}`, [
      drawIcon(severity, 20),
      tag('div.box', [tag('p.text.bold', title), ...drawAll(children)]),
    ]),
  Row: ({ label, variant = 'default', tooltip, children }) => {
    const parts = [
      tag('span.label', [label, tooltip ? drawIcon('question') : '']),
      tag('div.value', drawAll(children)),
    ];
    return tag(`div.row.${variant}`, parts, { title: tooltip });
  },
  Divider: () => tag('hr'),
  Form: ({ children }) => tag('div.box.form', drawAll(children)),
  Address: ({ address }) => {
    const hex = address.split(':').at(-1) ?? '';
    // MetaMask shows the first and the last five digits.
    const short = `${hex.slice(0, 7)}...${hex.slice(-5)}`;
    return tag('span.address', [drawMark(hex), tag('span', short)]);
  },
  Bold: ({ children }) => tag('b', drawAll(children)),
  Copyable: ({ value }) =>
    tag('div.copyable', [tag('p.text.more', value), drawIcon('copy')]),
  Heading: ({ size = 'sm', children }) => tag(`h2.heading.${size}`, drawAll(children)),
  Image: ({ src, alt = '' }) =>
    tag('img', undefined, { src: toImageAddress(src), alt }),
  Link: ({ href, children }) => tag('a.link', drawAll(children), { href }),
  Skeleton: ({ width = '100%', height = 22 }) =>
    tag('span.skeleton', undefined, { style: { width, height } }),
  Text: ({ color = 'default', size = 'md', fontWeight = 'regular', children }) =>
    tag(`p.text.${color}.${size}.${fontWeight}`, drawAll(children)),
  Button: ({ children, variant = 'primary', size = 'md', disabled }) =>
    tag(`button.button.${variant}.${size}`, drawAll(children), { disabled }),
  Checkbox: ({ checked = false, label }) =>
    tag('label.choice', [
      checked ? tag('span.tick.checked', drawIcon('check')) : tag('span.tick'),
      tag('span', label),
    ]),
  Dropdown: ({ children, value }) => {
    const options = optionsIn(children);
    const chosen = options.find((option) => option.value === value) ?? options[0];
    return tag('div.field.list', [
      tag('div.grow', drawAll(chosen?.children)),
      drawIcon('arrow-down'),
    ]);
  },
  Field: ({ label, error, children }) =>
    tag(error ? 'div.labelled.wrong' : 'div.labelled', [
      tag('span.text.medium', label),
      tag('div.joined', drawAll(children)),
      error ? tag('p.text.error.sm', error) : undefined,
    ]),
  FileInput: () => tag('div.field.file', drawIcon('add')),
  Input: (props) => {
    const { value, placeholder } = props;
    const type = 'type' in props ? props.type : 'text';
    const label = placeholder ?? value ?? type;
    const attributes = { type, placeholder, 'aria-label': label };
    return tag('input.field', undefined, { defaultValue: value, ...attributes });
  },
  RadioGroup: ({ children, value }) => {
    const options = optionsIn(children).map((option, index) => {
      const isChosen = value === undefined ? index === 0 : option.value === value;
      return tag('label.choice', [
        tag(isChosen ? 'span.dot.checked' : 'span.dot'),
        tag('span', drawAll(option.children)),
      ]);
    });
    return tag('div.box', options);
  },
};

function optionsIn(children: unknown): { value?: unknown; children?: unknown }[] {
  return elementsIn(children).map(({ props }) => props as { value?: unknown });
}

const MARK_COLOURS = ['#fc7500', '#01888c', '#fb1877', '#1598f2', '#f7cb02', '#c712ec'];

// An icon similar to Jazzicon.
function drawMark(address: string): ReactNode {
  const digits = [...address.slice(-16)].map(
    (digit) => Number.parseInt(digit, 16) || 0,
  );
  const at = (index: number): number => digits[index % digits.length] ?? 0;
  const drawSquare = (index: number): ReactNode => {
    const [x, y] = [(at(index * 3) - 8) * 1.5, (at(index * 5) - 8) * 1.5];
    const turned = `translate(${x} ${y}) rotate(${at(index) * 24} 12 12)`;
    const transform = index > 0 ? turned : undefined;
    const fill = MARK_COLOURS[at(index) % MARK_COLOURS.length];
    return tag('rect', undefined, { width: 24, height: 24, fill, transform });
  };
  return drawSvg('svg.mark', 16, [0, 1, 2, 3].map(drawSquare));
}

// Icons on a 24 by 24 grid. Others are drawn as a ring.
const iconPaths: Record<string, string> = {
  'arrow-down': 'M5 9l7 7 7-7',
  check: 'M4 13l5 5L20 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  danger: 'M12 3L2 21h20zM12 10v5M12 18v.5',
  info: 'M12 2a10 10 0 100 20 10 10 0 000-20M12 11v6M12 7v.5',
  question:
    'M12 2a10 10 0 100 20 10 10 0 000-20M9.5 9.5a2.5 2.5 0 114 2c-1 .7-1.5 1.2-1.5 2.5M12 17v.5',
  warning: 'M12 3L2 21h20zM12 10v5M12 18v.5',
};

function drawIcon(name: string, size = 16): ReactNode {
  const d = iconPaths[name] ?? 'M12 4a8 8 0 100 16 8 8 0 000-16';
  return drawSvg('svg.icon', size, tag('path', undefined, { d }));
}

function drawSvg(selector: string, size: number, content: ReactNode): ReactNode {
  const frame = { width: size, height: size, viewBox: '0 0 24 24' };
  return tag(selector, content, { ...frame, 'aria-hidden': 'true' });
}
