/** What the last line of a program that did not start says about its debugger, with what to do; the first that fits counts. */
const meanings: readonly Readonly<{ words: RegExp; means: string; fix: string }>[] = Object.freeze([
  {
    words: /exec format error/i,
    means: 'the program is built for another kind of processor than that of the node',
    fix: 'Build the image for the platform of the node.',
  },
  {
    words: /\/dbg\/.*(no such file or directory|not found)/i,
    means: 'the debugger is there, but the image lacks the interpreter or the C library that it needs',
    fix: 'Use an image with glibc (not Alpine, BusyBox or scratch) while you debug.',
  },
  {
    words: /error while loading shared libraries|GLIBC_\S+' not found|Error relocating/i,
    means: 'the C library of the image does not fit what runs in it',
    fix: 'Use an image with the C library that the debugger was built for.',
  },
]);

/** Of the last line of a crashed container; `undefined` for one that says nothing about the image. */
export const meaningOf = (line: string): Readonly<{ means: string; fix: string }> | undefined =>
  meanings.find(({ words }) => words.test(line));
