// Components that can be used: buttons, fields and choices, as they first stand there.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Drawers } from '../drawer';
import { elementsIn } from '../drawer';
import { tag } from '../html';
import type { Html } from '../html';
import { drawIcon, drawMark } from '../marks';

type Disabled = { disabled?: boolean | undefined };

const off = ({ disabled = false }: Disabled): string => (disabled ? ' disabled' : '');

// A field that opens a list or a calendar.
const closed = (content: Html | Html[] | string, props: Disabled): Html =>
  tag('div', { class: `field list${off(props)}` }, [
    tag('div', { class: 'grow' }, content),
    drawIcon('arrow-down'),
  ]);

const optionsOf = (children: unknown): { value?: unknown; children?: unknown }[] =>
  elementsIn(children).map(({ props }: JSXElement) => props as { value?: unknown });

// What nobody has chosen yet is the first.
const chosen = (children: unknown, value: unknown): unknown => {
  const options = optionsOf(children);
  return (options.find((option) => option.value === value) ?? options[0])?.children;
};

const field = (
  {
    value,
    placeholder,
    disabled,
  }: { value?: string | undefined; placeholder?: string | undefined } & Disabled,
  type = 'text',
): Html =>
  tag('input', {
    class: 'field',
    type,
    value,
    placeholder,
    disabled,
    'aria-label': placeholder ?? value ?? type,
  });

/** Components that can be used. */
export const fields: Drawers<
  | 'AccountSelector'
  | 'AddressInput'
  | 'AssetSelector'
  | 'Button'
  | 'Checkbox'
  | 'DateTimePicker'
  | 'Dropdown'
  | 'Field'
  | 'FileInput'
  | 'Input'
  | 'Option'
  | 'Radio'
  | 'RadioGroup'
  | 'Selector'
  | 'SelectorOption'
> = {
  AccountSelector: (props) => {
    const address = props.value?.split(':').at(-1) ?? '0x0';
    return closed([drawMark(address, 16), tag('span', {}, address)], props);
  },
  AddressInput: (props) => field(props),
  AssetSelector: (props) => closed(props.value ?? '', props),
  Button: (props, draw) => {
    const {
      children,
      variant = 'primary',
      size = 'md',
      disabled,
      loading = false,
    } = props;
    const content = loading ? tag('span', { class: 'spinner' }) : draw(children);
    return tag('button', { class: `button ${variant} ${size}`, disabled }, content);
  },
  Checkbox: ({ checked = false, label, variant = 'default', ...props }) =>
    tag('label', { class: `choice ${variant}${off(props)}` }, [
      tag('span', { class: checked ? 'tick checked' : 'tick' }, [
        checked && variant === 'default' ? drawIcon('check') : '',
      ]),
      tag('span', {}, label),
    ]),
  DateTimePicker: (props) => field({ ...props, placeholder: props.placeholder }),
  Dropdown: (props, draw) => closed(draw(chosen(props.children, props.value)), props),
  Field: ({ label, error, children }, draw) =>
    tag('div', { class: error ? 'labelled wrong' : 'labelled' }, [
      tag('span', { class: 'text medium' }, label),
      tag('div', { class: 'joined' }, draw(children)),
      error ? tag('p', { class: 'text error sm' }, error) : undefined,
    ]),
  FileInput: (props) =>
    tag('div', { class: `field file${off(props)}` }, drawIcon('add')),
  Input: (props) => field(props, 'type' in props ? props.type : 'text'),
  Option: ({ children }, draw) => tag('span', {}, draw(children)),
  Radio: ({ children }, draw) => tag('span', {}, draw(children)),
  RadioGroup: ({ children, value, ...props }) =>
    tag(
      'div',
      { class: 'box' },
      optionsOf(children).map((option, index) => {
        const isChosen = value === undefined ? index === 0 : option.value === value;
        return tag('label', { class: `choice${off(props)}` }, [
          tag('span', { class: isChosen ? 'dot checked' : 'dot' }),
          tag('span', {}, String(option.children)),
        ]);
      }),
    ),
  Selector: (props, draw) => closed(draw(chosen(props.children, props.value)), props),
  SelectorOption: ({ children }, draw) => tag('div', {}, draw(children)),
};
