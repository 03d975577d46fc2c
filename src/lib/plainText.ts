import { stripVTControlCharacters } from 'node:util';

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Foreign text made safe for one line of a log or a label: no ANSI, no control or direction marks, line breaks as `⏎`. */
export const oneLine = (text: string, most = 2000): string => {
  const plain = stripVTControlCharacters(text)
    .replace(/\r?\n|[\r\u2028\u2029]/g, ' ⏎ ')
    .replace(CONTROL, '\ufffd');
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
};
