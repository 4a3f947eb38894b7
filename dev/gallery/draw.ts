// Draws components of the SDK as HTML, close to how MetaMask does.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { Children, createElement, type ReactElement, type ReactNode } from 'react';

type ComponentType = JSXElement['type'];

/**
 * Draws an element.
 *
 * @throws {Error} If its type has no drawer.
 */
export function draw({ type, props }: JSXElement): ReactNode {
  if (!Object.hasOwn(drawers, type)) {
    throw new Error(`The gallery cannot draw a component of the type "${type}".`);
  }
  return (drawers[type] as (props: unknown) => ReactNode)(props);
}

export function drawScreen(content: JSXElement): ReactNode {
  if (content.type === 'Container') return draw(content);
  const body = tag('main', { className: 'body' }, draw(content));
  return tag('div', { className: 'container default' }, body);
}

/** Creates an element of HTML, whose children need no keys. */
export function tag(
  name: string,
  attributes: Record<string, unknown>,
  content?: ReactNode,
): ReactElement {
  return createElement(name, attributes, ...Children.toArray(content));
}

/** Returns the data URL of an SVG image, as MetaMask has it: scripts in it do not run. */
export function toImageAddress(svg: string): string {
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

// Elements, texts, and lists of both.
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

// The components of the SDK that the views use.
const drawers: {
  [Type in ComponentType]?: (
    props: Extract<JSXElement, { type: Type }>['props'],
  ) => ReactNode;
} = {
  // Components that hold others.
  Container: ({ children, backgroundColor = 'default' }) => {
    const [body, footer] = elementsIn(children);
    return tag('div', { className: `container ${backgroundColor}` }, [
      tag('main', { className: 'body' }, drawAll(body)),
      ...drawAll(footer),
    ]);
  },
  Box: (props) =>
    tag('div', { className: `box ${flow(props)}` }, drawAll(props.children)),
  Section: (props) =>
    tag('section', { className: `section ${flow(props)}` }, drawAll(props.children)),
  CollapsibleSection: (props) => {
    const { label, isLoading = false, isExpanded = false, children } = props;
    const content = isLoading
      ? tag('div', { className: 'skeleton' })
      : drawAll(children);
    return tag('details', { className: 'section fold', open: isExpanded }, [
      tag('summary', {}, [tag('span', {}, label), drawIcon('arrow-down')]),
      tag('div', { className: `box ${flow(props)}` }, content),
    ]);
  },
  // Of two buttons the first is the secondary one.
  Footer: ({ children }) => {
    const buttons = elementsIn(children);
    const drawn = buttons.map((button, index) => {
      const place = index === buttons.length - 1 ? 'primary' : 'secondary';
      return tag('span', { className: place }, draw(button));
    });
    return tag('footer', {}, drawn);
  },
  Banner: ({ title, severity, children }) =>
    tag('div', { className: `banner ${severity}` }, [
      drawIcon(severity === 'success' ? 'confirmation' : severity, 20),
      tag('div', { className: 'box' }, [
        tag('p', { className: 'text bold' }, title),
        ...drawAll(children),
      ]),
    ]),
  Row: ({ label, variant = 'default', tooltip, children }) =>
    tag('div', { className: `row ${variant}`, title: tooltip }, [
      tag('span', { className: 'label' }, [label, tooltip ? drawIcon('question') : '']),
      tag('div', { className: 'value' }, drawAll(children)),
    ]),
  Divider: () => tag('hr', {}),
  Form: ({ children }) => tag('div', { className: 'box form' }, drawAll(children)),
  // Components that show a text, a value or an image.
  Address: ({ address, truncate = true, avatar = true }) => {
    const hex = address.split(':').at(-1) ?? '';
    // MetaMask shows five digits at the beginning and at the end.
    const short = `${hex.slice(0, 7)}...${hex.slice(-5)}`;
    return tag('span', { className: truncate ? 'address' : 'address whole' }, [
      avatar ? drawMark(hex) : '',
      tag('span', {}, truncate ? short : hex),
    ]);
  },
  Bold: ({ children }) => tag('b', {}, drawAll(children)),
  Copyable: ({ value, sensitive = false }) =>
    tag('div', { className: sensitive ? 'copyable sensitive' : 'copyable' }, [
      tag('p', { className: 'text more' }, value),
      drawIcon('copy'),
    ]),
  Heading: ({ size = 'sm', children }) =>
    tag('h2', { className: `heading ${size}` }, drawAll(children)),
  Image: ({ src, alt = '', width, height, borderRadius = 'none' }) => {
    const radius = { none: 0, medium: 6, full: 9999 }[borderRadius];
    const style = { borderRadius: radius, width, height };
    return tag('img', { src: toImageAddress(src), alt, style });
  },
  Link: ({ href, children }) =>
    tag('a', { className: 'link', href }, drawAll(children)),
  Skeleton: ({ width = '100%', height = 22 }) =>
    tag('span', { className: 'skeleton', style: { width, height } }),
  Text: (props) => {
    const { color = 'default', size = 'md', fontWeight = 'regular', alignment } = props;
    const align = alignment ? ` ${alignment}` : '';
    const className = `text ${color} ${size} ${fontWeight}${align}`;
    return tag('p', { className: className }, drawAll(props.children));
  },
  // Controls, in their first state.
  Button: ({ children, variant = 'primary', size = 'md', disabled }) =>
    tag(
      'button',
      { className: `button ${variant} ${size}`, disabled },
      drawAll(children),
    ),
  Checkbox: ({ checked = false, label, variant = 'default', disabled }) =>
    tag('label', { className: `choice ${variant}${off(disabled)}` }, [
      tag('span', { className: checked ? 'tick checked' : 'tick' }, [
        checked && variant === 'default' ? drawIcon('check') : '',
      ]),
      tag('span', {}, label),
    ]),
  // The first option unless one is chosen.
  Dropdown: ({ children, value, disabled }) => {
    const options = optionsIn(children);
    const chosen = options.find((option) => option.value === value) ?? options[0];
    return tag('div', { className: `field list${off(disabled)}` }, [
      tag('div', { className: 'grow' }, drawAll(chosen?.children)),
      drawIcon('arrow-down'),
    ]);
  },
  Field: ({ label, error, children }) =>
    tag('div', { className: error ? 'labelled wrong' : 'labelled' }, [
      tag('span', { className: 'text medium' }, label),
      tag('div', { className: 'joined' }, drawAll(children)),
      error ? tag('p', { className: 'text error sm' }, error) : undefined,
    ]),
  FileInput: ({ disabled }) =>
    tag('div', { className: `field file${off(disabled)}` }, drawIcon('add')),
  Input: (props) => {
    const { value, placeholder, disabled } = props;
    const type = 'type' in props ? props.type : 'text';
    const label = placeholder ?? value ?? type;
    const attributes = { type, placeholder, disabled, 'aria-label': label };
    return tag('input', { className: 'field', defaultValue: value, ...attributes });
  },
  Option: ({ children }) => tag('span', {}, drawAll(children)),
  Radio: ({ children }) => tag('span', {}, drawAll(children)),
  RadioGroup: ({ children, value, disabled }) =>
    tag(
      'div',
      { className: 'box' },
      optionsIn(children).map((option, index) => {
        const isChosen = value === undefined ? index === 0 : option.value === value;
        return tag('label', { className: `choice${off(disabled)}` }, [
          tag('span', { className: isChosen ? 'dot checked' : 'dot' }),
          tag('span', {}, drawAll(option.children)),
        ]);
      }),
    ),
};

function flow(props: {
  direction?: string | undefined;
  alignment?: string | undefined;
  crossAlignment?: string | undefined;
  center?: boolean | undefined;
}): string {
  const { direction = 'vertical', alignment = 'start', crossAlignment, center } = props;
  const cross = crossAlignment ? ` cross-${crossAlignment}` : '';
  return `${direction} align-${alignment}${cross}${center ? ' center' : ''}`;
}

function off(disabled = false): string {
  return disabled ? ' disabled' : '';
}

function optionsIn(children: unknown): { value?: unknown; children?: unknown }[] {
  return elementsIn(children).map(({ props }) => props as { value?: unknown });
}

const MARK_COLOURS = ['#fc7500', '#01888c', '#fb1877', '#1598f2', '#f7cb02', '#c712ec'];

// The icon of an address, similar to Jazzicon.
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
    return tag('rect', { width: 24, height: 24, fill, transform });
  };
  return drawSvg('mark', 16, [0, 1, 2, 3].map(drawSquare));
}

// Lines of icons in a square of 24; others are drawn as a ring.
const iconPaths: Record<string, string> = {
  'arrow-down': 'M5 9l7 7 7-7',
  check: 'M4 13l5 5L20 7',
  confirmation: 'M12 2a10 10 0 100 20 10 10 0 000-20M7 12l4 4 6-7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  danger: 'M12 3L2 21h20zM12 10v5M12 18v.5',
  info: 'M12 2a10 10 0 100 20 10 10 0 000-20M12 11v6M12 7v.5',
  question:
    'M12 2a10 10 0 100 20 10 10 0 000-20M9.5 9.5a2.5 2.5 0 114 2c-1 .7-1.5 1.2-1.5 2.5M12 17v.5',
  warning: 'M12 3L2 21h20zM12 10v5M12 18v.5',
};

function drawIcon(name: string, size = 16): ReactNode {
  const d = iconPaths[name] ?? 'M12 4a8 8 0 100 16 8 8 0 000-16';
  return drawSvg('icon', size, [tag('path', { d })]);
}

function drawSvg(className: string, size: number, content: ReactNode[]): ReactNode {
  const frame = { width: size, height: size, viewBox: '0 0 24 24' };
  return tag('svg', { className: className, ...frame, 'aria-hidden': 'true' }, content);
}
