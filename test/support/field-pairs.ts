import { elementsOf, textsOf } from './view';

export function toFieldPairs(content: unknown): [label: string, value: string][] {
  return elementsOf(content)
    .filter(({ type }) => type === 'Row')
    .map(({ props }) => {
      const [value = ''] = textsOf(props.children);
      return [String(props.label), value];
    });
}
