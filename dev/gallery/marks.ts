// Small pictures: an address's own mark, and the icons.
import { tag } from './html';
import type { Html } from './html';

const COLOURS = ['#fc7500', '#01888c', '#fb1877', '#1598f2', '#f7cb02', '#c712ec'];

/** Draw an address's mark in the manner of Jazzicon: the same for the same address. */
export function drawMark(address: string, size: number): Html {
  const digits = [...address.slice(-16)].map(
    (digit) => Number.parseInt(digit, 16) || 0,
  );
  const at = (index: number): number => digits[index % digits.length] ?? 0;
  const colour = (index: number): string => COLOURS[at(index) % COLOURS.length] ?? '';
  const shapes = [1, 2, 3].map((index) =>
    tag('rect', {
      width: 24,
      height: 24,
      fill: colour(index),
      transform: `translate(${(at(index * 3) - 8) * 1.5} ${(at(index * 5) - 8) * 1.5}) rotate(${at(index) * 24} 12 12)`,
    }),
  );
  return tag(
    'svg',
    {
      class: 'mark',
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      'aria-hidden': 'true',
    },
    [tag('rect', { width: 24, height: 24, fill: colour(0) }), ...shapes],
  );
}

// Lines of icons in a square of 24; others are drawn as a ring.
const PATHS: Record<string, string> = {
  'arrow-down': 'M5 9l7 7 7-7',
  'arrow-up': 'M5 15l7-7 7 7',
  'arrow-right': 'M9 5l7 7-7 7',
  check: 'M4 13l5 5L20 7',
  confirmation: 'M12 2a10 10 0 100 20 10 10 0 000-20M7 12l4 4 6-7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  danger: 'M12 3L2 21h20zM12 10v5M12 18v.5',
  info: 'M12 2a10 10 0 100 20 10 10 0 000-20M12 11v6M12 7v.5',
  question:
    'M12 2a10 10 0 100 20 10 10 0 000-20M9.5 9.5a2.5 2.5 0 114 2c-1 .7-1.500 1.200-1.500 2.500M12 17v.5',
  warning: 'M12 3L2 21h20zM12 10v5M12 18v.5',
  export: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
};

/** Draw an icon. */
export function drawIcon(name: string, size = 16): Html {
  const d = PATHS[name] ?? 'M12 4a8 8 0 100 16 8 8 0 000-16';
  return tag(
    'svg',
    {
      class: 'icon',
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      'aria-hidden': 'true',
    },
    tag('path', { d }),
  );
}
