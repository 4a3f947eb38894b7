import { JSDOM } from 'jsdom';
