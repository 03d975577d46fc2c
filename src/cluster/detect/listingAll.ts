import type { Detect } from '../pods/pod.ts';

/** `detect` for those who want to know of every container, also of what no debugger could be attached to. */
export const listingAll =
  (detect: Detect): Detect =>
  (spec, pod) => ({ ...detect(spec, pod), listed: true });
