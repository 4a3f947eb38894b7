/// <reference types="vitepress/client" />
// VitePress's own theme, with a few lines of style.
import './style.css';

// VitePress takes the theme as the default export.
// oxlint-disable-next-line import/no-default-export
export { default } from 'vitepress/theme';
