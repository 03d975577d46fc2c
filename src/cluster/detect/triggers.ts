import { ANNOTATION } from './annotation.ts';
import { goTriggers } from './go.ts';
import { jvmTriggers } from './jvm.ts';
import { nativeTriggers } from './native.ts';
import { netcoreTriggers } from './netcore.ts';
import { nodejsTriggers } from './nodejs.ts';
import { portNameTriggers } from './portNames.ts';
import { pythonTriggers } from './python.ts';
import { rubyTriggers } from './ruby.ts';
import { skaffoldTriggers } from './skaffold.ts';

/** A pod whose JSON has none of these has no container that `detect` would list, and nothing to remark on. */
export const triggers: readonly string[] = [
  ANNOTATION,
  ...jvmTriggers,
  ...nodejsTriggers,
  ...pythonTriggers,
  ...goTriggers,
  ...netcoreTriggers,
  ...rubyTriggers,
  ...nativeTriggers,
  ...portNameTriggers,
  ...skaffoldTriggers,
];
