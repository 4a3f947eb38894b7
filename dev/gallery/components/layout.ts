// Components that hold others.
import type { Drawers } from '../drawer';
import { elementsIn } from '../drawer';
import { tag } from '../html';
import { drawIcon } from '../marks';

const icons = {
  danger: 'danger',
  warning: 'warning',
  info: 'info',
  success: 'confirmation',
};

const flow = (props: {
  direction?: string | undefined;
  alignment?: string | undefined;
  crossAlignment?: string | undefined;
  center?: boolean | undefined;
}): string => {
  const { direction = 'vertical', alignment = 'start', crossAlignment, center } = props;
  const cross = crossAlignment ? ` cross-${crossAlignment}` : '';
  return `${direction} align-${alignment}${cross}${center ? ' center' : ''}`;
};

/** Components that hold others. */
export const layout: Drawers<
  | 'Container'
  | 'Box'
  | 'Section'
  | 'CollapsibleSection'
  | 'Footer'
  | 'Banner'
  | 'Row'
  | 'Card'
  | 'Divider'
  | 'Form'
  | 'Tooltip'
> = {
  Container: ({ children, backgroundColor = 'default' }, draw) => {
    const [body, footer] = elementsIn(children);
    return tag('div', { class: `container ${backgroundColor}` }, [
      tag('main', { class: 'body' }, draw(body)),
      ...draw(footer),
    ]);
  },
  Box: (props, draw) =>
    tag('div', { class: `box ${flow(props)}` }, draw(props.children)),
  Section: (props, draw) =>
    tag('section', { class: `section ${flow(props)}` }, draw(props.children)),
  CollapsibleSection: (props, draw) => {
    const { label, isLoading = false, isExpanded = false, children } = props;
    return tag('details', { class: 'section fold', open: isExpanded }, [
      tag('summary', {}, [tag('span', {}, label), drawIcon('arrow-down')]),
      tag(
        'div',
        { class: `box ${flow(props)}` },
        isLoading ? tag('div', { class: 'skeleton' }) : draw(children),
      ),
    ]);
  },
  // Of two buttons the first is the secondary one.
  Footer: ({ children }, draw) => {
    const buttons = elementsIn(children);
    const drawn = buttons.map((button, index) => {
      const place = index === buttons.length - 1 ? 'primary' : 'secondary';
      return tag('span', { class: place }, draw(button));
    });
    return tag('footer', {}, drawn);
  },
  Banner: ({ title, severity, children }, draw) =>
    tag('div', { class: `banner ${severity}` }, [
      drawIcon(icons[severity], 20),
      tag('div', { class: 'box' }, [
        tag('p', { class: 'text bold' }, title),
        ...draw(children),
      ]),
    ]),
  Row: ({ label, variant = 'default', tooltip, children }, draw) =>
    tag('div', { class: `row ${variant}`, title: tooltip }, [
      tag('span', { class: 'label' }, [label, tooltip ? drawIcon('question') : '']),
      tag('div', { class: 'value' }, draw(children)),
    ]),
  Card: ({ image, title, description, value, extra }, draw) =>
    tag('div', { class: 'card' }, [
      ...(image ? draw({ type: 'Image', props: { src: image } }) : []),
      tag('div', { class: 'grow' }, [
        tag('p', { class: 'text medium' }, draw(title)),
        tag('p', { class: 'text alternative sm' }, description),
      ]),
      tag('div', { class: 'end' }, [
        tag('p', { class: 'text medium' }, value),
        tag('p', { class: 'text alternative sm' }, extra),
      ]),
    ]),
  Divider: () => tag('hr', {}),
  Form: ({ children }, draw) => tag('div', { class: 'box form' }, draw(children)),
  Tooltip: ({ content, children }, draw) =>
    tag('span', { class: 'tooltip' }, [
      ...draw(children),
      tag('span', { class: 'tip', role: 'tooltip' }, draw(content)),
    ]),
};
