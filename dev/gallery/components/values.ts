// Components that show a text, a value or a picture.
import type { Drawers, PropsOf } from '../drawer';
import { tag, toImageAddress } from '../html';
import { drawIcon, drawMark } from '../marks';

const AVATAR_SIZES = { sm: 16, md: 24, lg: 32 };

const ROUND = { none: 0, medium: 6, full: 9999 };

const px = (length: number | string | undefined): string | undefined =>
  typeof length === 'number' ? `${length}px` : length;

// MetaMask shows five digits at the beginning and at the end.
const shorten = (address: string): string =>
  `${address.slice(0, 7)}...${address.slice(-5)}`;

const textClass = (props: PropsOf<'Text'>): string => {
  const { color = 'default', size = 'md', fontWeight = 'regular', alignment } = props;
  return `text ${color} ${size} ${fontWeight} ${alignment ?? ''}`.trim();
};

/** Components that show a text, a value or a picture. */
export const values: Drawers<
  | 'Address'
  | 'Avatar'
  | 'Bold'
  | 'Copyable'
  | 'Heading'
  | 'Icon'
  | 'Image'
  | 'Italic'
  | 'Link'
  | 'Skeleton'
  | 'Spinner'
  | 'Text'
  | 'Value'
> = {
  Address: ({ address, truncate = true, avatar = true }) => {
    const hex = address.split(':').at(-1) ?? '';
    return tag('span', { class: truncate ? 'address' : 'address whole' }, [
      avatar ? drawMark(hex, 16) : '',
      tag('span', {}, truncate ? shorten(hex) : hex),
    ]);
  },
  Avatar: ({ address, size = 'md' }) =>
    drawMark(address.split(':').at(-1) ?? '', AVATAR_SIZES[size]),
  Bold: ({ children }, draw) => tag('b', {}, draw(children)),
  Copyable: ({ value, sensitive = false }) =>
    tag('div', { class: sensitive ? 'copyable sensitive' : 'copyable' }, [
      tag('p', { class: 'text more' }, value),
      drawIcon('copy'),
    ]),
  Heading: ({ size = 'sm', children }, draw) =>
    tag('h2', { class: `heading ${size}` }, draw(children)),
  Icon: ({ name, color = 'default', size = 'inherit' }) =>
    tag('span', { class: `glyph ${color}` }, drawIcon(name, size === 'md' ? 20 : 16)),
  Image: ({ src, alt = '', width, height, borderRadius = 'none' }) => {
    const size = [`border-radius: ${ROUND[borderRadius]}px`];
    if (width !== undefined) size.push(`width: ${width}px`);
    if (height !== undefined) size.push(`height: ${height}px`);
    return tag('img', { src: toImageAddress(src), alt, style: size.join('; ') });
  },
  Italic: ({ children }, draw) => tag('i', {}, draw(children)),
  Link: ({ href, children }, draw) =>
    tag('a', { href }, [...draw(children), drawIcon('export')]),
  Skeleton: ({ width = '100%', height = 22 }) =>
    tag('span', {
      class: 'skeleton',
      style: `width: ${px(width)}; height: ${px(height)}`,
    }),
  Spinner: () => tag('div', { class: 'spinner' }),
  Text: (props, draw) => tag('p', { class: textClass(props) }, draw(props.children)),
  Value: ({ value, extra }, draw) =>
    tag('div', { class: 'values' }, [
      tag('span', { class: 'text alternative' }, draw(extra)),
      tag('span', { class: 'text' }, draw(value)),
    ]),
};
