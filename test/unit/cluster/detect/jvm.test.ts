import { checkSetups, env } from '../../../support/setups.ts';

const jdwp = (options: string) => `-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,${options}`;

checkSetups([
  {
    name: 'server=n',
    container: { command: ['java', '-agentlib:jdwp=transport=dt_socket,server=n,address=dev:5005', 'App'] },
    want: 'jvm - not-debuggable',
    reason: /server=y/,
  },
  {
    name: 'JDWP port 0',
    container: { command: ['java', jdwp('address=*:0'), 'App'] },
    want: 'jvm - port-unknown',
    reason: /random port/,
  },
  {
    name: 'JDWP without suspend waits',
    container: { command: ['java', '-agentlib:jdwp=transport=dt_socket,server=y,address=5005', 'App'] },
    want: 'jvm 5005 suspended',
  },
  {
    name: 'JDWP twice',
    container: {
      command: ['java', jdwp('address=5005'), 'App'],
      env: env({ JAVA_TOOL_OPTIONS: jdwp('address=5005') }),
    },
    want: 'jvm - crash',
    reason: /twice/,
  },
  {
    name: 'JDWP without transport',
    container: { command: ['java', '-agentlib:jdwp=server=y,suspend=n,address=5005', 'App'] },
    want: 'jvm - crash',
    reason: /transport/,
  },
  {
    name: 'JDWP with a bad port',
    container: { command: ['java', jdwp('address=70000'), 'App'] },
    want: 'jvm - crash',
    reason: /port/,
  },
  {
    name: 'JDWP with suspend=false',
    container: { command: ['java', '-agentlib:jdwp=transport=dt_socket,server=y,suspend=false,address=5005', 'App'] },
    want: 'jvm - crash',
    reason: /suspend/,
  },
  {
    name: 'java without a program',
    container: { command: ['java', jdwp('address=5005')] },
    want: 'jvm 5005 crash',
    reason: /no program/,
  },
  {
    name: 'JAVA_OPTS that nothing uses',
    container: { command: ['java', '-jar', 'a.jar'], env: env({ JAVA_OPTS: jdwp('address=5005') }) },
    want: 'jvm - not-debuggable',
    reason: /JAVA_OPTS/,
  },
  {
    name: 'JAVA_OPTS of an unseen entrypoint',
    container: { env: env({ JAVA_OPTS: jdwp('address=5005') }) },
    want: 'jvm 5005 live',
    reason: /cannot be seen/,
  },
  {
    name: 'CATALINA_OPTS of Tomcat',
    container: { command: ['catalina.sh', 'run'], env: env({ CATALINA_OPTS: jdwp('address=5006') }) },
    want: 'jvm 5006 live',
  },
  {
    name: 'JAVA_TOOL_OPTIONS emptied for the command',
    container: {
      command: ['sh', '-c', 'JAVA_TOOL_OPTIONS= java -jar a.jar'],
      env: env({ JAVA_TOOL_OPTIONS: jdwp('address=5005') }),
    },
    want: 'jvm - not-debuggable',
  },
  {
    name: 'JAVA_TOOL_OPTIONS beside another program',
    container: { command: ['node', 'a.js'], env: env({ JAVA_TOOL_OPTIONS: jdwp('address=5005') }) },
    want: 'nodejs - not-debuggable',
  },
  {
    name: "Keycloak as the image's entrypoint",
    container: { image: 'quay.example/keycloak/keycloak:26', args: ['start-dev', '--debug', '*:8787'] },
    want: 'jvm 8787 live',
  },
  {
    name: 'Tomcat that waits',
    container: { command: ['catalina.sh', 'jpda', 'run'], env: env({ JPDA_SUSPEND: 'y' }) },
    want: 'jvm 8000 suspended',
  },
  {
    name: 'BPL_DEBUG_PORT',
    container: { env: env({ BPL_DEBUG_ENABLED: 'true', BPL_DEBUG_PORT: '5010', BPL_DEBUG_SUSPEND: 'true' }) },
    want: 'jvm 5010 suspended',
  },
  {
    name: 'gradle --debug-jvm',
    container: { command: ['./gradlew', 'bootRun', '--debug-jvm'] },
    want: 'jvm 5005 suspended',
  },
]);
