// Writes HTML. Only this file escapes texts and attributes.

export type Html = { html: string };

export type Content = Html | string | readonly Content[] | undefined;

const VOID = ['img', 'input', 'hr'];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Writes an element without the attributes that are undefined or false. */
export function tag(
  name: string,
  attributes: Record<string, string | number | boolean | undefined>,
  content?: Content,
): Html {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escape(value)}"`))
    .join('');
  const open = `<${name}${written}>`;
  return { html: VOID.includes(name) ? open : `${open}${toHtml(content)}</${name}>` };
}

export function toHtml(content: Content): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return escape(content);
  return 'html' in content ? content.html : content.map(toHtml).join('');
}

/** Returns the data URL of an SVG image, as MetaMask has it: scripts in it do not run. */
export function toImageAddress(svg: string): string {
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

function escape(value: unknown): string {
  return String(value).replace(/[&<>"']/gu, (letter) => ENTITIES[letter] ?? letter);
}
