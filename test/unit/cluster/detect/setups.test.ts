import { checkSetups, env } from '../../../support/setups.ts';

checkSetups([
  {
    name: 'a port from a variable (H22)',
    container: { env: env({ DEBUG_PORT: '9230' }), args: ['node', '--inspect=0.0.0.0:$(DEBUG_PORT)', 'app.js'] },
    want: 'nodejs 9230 live',
  },
  {
    name: 'a port from a variable in a shell',
    container: { env: env({ DEBUG_PORT: '9230' }), command: ['sh', '-c', 'node --inspect=0.0.0.0:$DEBUG_PORT app.js'] },
    want: 'nodejs 9230 live',
  },
  {
    name: 'a shell variable outside a shell',
    container: { env: env({ DEBUG_PORT: '9230' }), command: ['node', '--inspect=$DEBUG_PORT', 'app.js'] },
    want: 'nodejs - port-unknown',
    reason: /does not show/,
  },
  {
    name: 'an escaped reference',
    container: { env: env({ DEBUG_PORT: '9230' }), command: ['node', '--inspect=$$(DEBUG_PORT)', 'app.js'] },
    want: 'nodejs - port-unknown',
  },
  {
    name: 'an undefined reference',
    container: { command: ['node', '--inspect=0.0.0.0:$(NOPE)', 'app.js'] },
    want: 'nodejs - port-unknown',
  },
  {
    name: 'a port from a ConfigMap',
    container: {
      env: [{ name: 'DEBUG_PORT', valueFrom: { configMapKeyRef: { name: 'x', key: 'y' } } }],
      command: ['sh', '-c', 'node --inspect=$DEBUG_PORT app.js'],
    },
    want: 'nodejs - port-unknown',
    reason: /does not show/,
  },
  {
    name: 'loopback inside the container (H21)',
    container: { command: ['node', '--inspect=127.0.0.1:9229', 'app.js'] },
    want: 'nodejs 9229 live',
  },
  {
    name: 'flags behind dashes (H19)',
    container: {
      command: ['/dlv'],
      args: ['exec', '--headless', '--continue', '--listen=:40000', '/manager', '--', '--listen=:8080', '--headless'],
    },
    want: 'go 40000 live',
  },
  {
    name: 'dlv dap (H46)',
    container: { command: ['dlv', 'dap', '--listen=:2345'] },
    want: 'go - not-debuggable',
    reason: /cannot attach/,
  },
  {
    name: 'dlv without --headless',
    container: { command: ['dlv', 'exec', '/app'] },
    want: 'go - not-debuggable',
    reason: /--headless/,
  },
  {
    name: 'dlv exec without a program',
    container: { command: ['dlv', 'exec', '--headless', '--listen=:2345'] },
    want: 'go - crash',
    reason: /no program/,
  },
  {
    name: 'dlv on a Unix socket',
    container: { command: ['dlv', 'exec', '--headless', '--listen=unix:/x', '/app'] },
    want: 'go - not-debuggable',
    reason: /Unix socket/,
  },
  {
    name: "dlv as the image's entrypoint",
    container: { args: ['exec', '--headless', '--continue', '--listen=:2345', '/app'] },
    want: 'go 2345 live',
  },
  {
    name: 'node without a program (H64)',
    container: { command: ['node', '--inspect=0.0.0.0:9229'] },
    want: 'nodejs 9229 crash',
    reason: /CMD/,
  },
  {
    name: 'node without a program, but with input',
    container: { command: ['node', '--inspect=9229'], stdin: true },
    want: 'nodejs 9229 live',
  },
  {
    name: 'node with code',
    container: { command: ['node', '--inspect=9229', '-e', 'work()'] },
    want: 'nodejs 9229 live',
  },
  {
    name: 'node without a program in a shell',
    container: { command: ['sh', '-c', 'node --inspect'] },
    want: 'nodejs 9229 crash',
  },
  {
    name: 'node with a program that is not shown',
    container: { command: ['sh', '-c', 'node --inspect $APP'] },
    want: 'nodejs 9229 live',
  },
  {
    name: 'a blank instead of =',
    container: { command: ['node', '--inspect', '9250', 'app.js'] },
    want: 'nodejs 9229 crash',
    reason: /--inspect=9250/,
  },
  {
    name: 'two --inspect',
    container: { command: ['node', '--inspect=9230', '--inspect=9231', 'app.js'] },
    want: 'nodejs 9231 live',
    reason: /--inspect=9230 and --inspect=9231/,
  },
  {
    name: 'two --inspect, one from a variable',
    container: {
      command: ['node', '--inspect', 'app.js'],
      env: env({ NODE_OPTIONS: '--max-old-space-size=64 --inspect=9240' }),
    },
    want: 'nodejs 9240 live',
    reason: /only one address counts/,
  },
  {
    name: 'a host resets the port',
    container: { command: ['node', '--inspect-port=9245', '--inspect=0.0.0.0', 'app.js'] },
    want: 'nodejs 9229 live',
  },
  {
    name: 'a privileged port',
    container: { command: ['node', '--inspect=80', 'app.js'] },
    want: 'nodejs - crash',
    reason: /1024/,
  },
  {
    name: '--inspect without value',
    container: { command: ['node', '--inspect=', 'app.js'] },
    want: 'nodejs - crash',
    reason: /no value/,
  },
  {
    name: '--inspect-publish-uid alone',
    container: { command: ['node', '--inspect-publish-uid=http', 'app.js'] },
    want: 'nodejs - not-debuggable',
  },
  {
    name: 'underscores',
    container: { command: ['node', '--inspect_brk=9230', 'app.js'] },
    want: 'nodejs 9230 suspended',
  },
  {
    name: 'values of other options',
    container: { command: ['node', '-r', 'ts-node/register', '--inspect', 'app.ts'] },
    want: 'nodejs 9229 live',
  },
  {
    name: "node behind the image's entrypoint",
    container: { args: ['--inspect=9230', 'app.js'] },
    want: 'nodejs 9230 live',
  },
  {
    name: 'nodemon --exec',
    container: { command: ['nodemon', '--watch', 'src', '--exec', 'node --inspect=9231', 'src/a.js'] },
    want: 'nodejs 9231 live',
  },
  {
    name: 'flags for a package script',
    container: { command: ['npm', 'run', 'dev', '--', '--inspect=9232'] },
    want: 'nodejs 9232 live',
    reason: /package.json/,
  },
  {
    name: 'npx',
    container: { command: ['npx', 'tsx', 'watch', '--inspect=9233', 'src/a.ts'] },
    want: 'nodejs 9233 live',
  },
  {
    name: 'debugpy behind options',
    container: {
      command: [
        'python3.12',
        '-u',
        '-Xfrozen_modules=off',
        '-m',
        'debugpy',
        '--configure-subProcess',
        'true',
        '--listen',
        '0.0.0.0:5678',
        '-m',
        'uvicorn',
        'a:app',
      ],
    },
    want: 'python 5678 live',
  },
  {
    name: 'debugpy that connects',
    container: { command: ['python', '-m', 'debugpy', '--connect', 'dev:5678', 'a.py'] },
    want: 'python - not-debuggable',
    reason: /connects/,
  },
  {
    name: 'debugpy without a program',
    container: { command: ['python', '-m', 'debugpy', '--listen', '5678'] },
    want: 'python 5678 crash',
    reason: /no program/,
  },
  {
    name: 'debugpy as a command',
    container: { command: ['debugpy', '--listen', '5678', 'a.py'] },
    want: 'python 5678 live',
  },
  {
    name: 'a wrapper before python',
    container: { command: ['opentelemetry-instrument', 'python', '-m', 'debugpy', '--listen', '5678', 'a.py'] },
    want: 'python 5678 live',
  },
  {
    name: 'pydevd (H53)',
    container: { command: ['python', '/x/pydevd.py', '--port', '12345', '--file', 'a.py'] },
    want: 'python 12345 not-debuggable',
    reason: /--protocols=dap/,
  },
  {
    name: 'only a port called debug (H24)',
    container: { ports: [{ name: 'debug', containerPort: 40000 }] },
    want: '- 40000 not-debuggable',
    reason: /which debugger/,
  },
  {
    name: 'a flag wins over a port name',
    container: { command: ['node', '--inspect=9230', 'a.js'], ports: [{ name: 'devtools', containerPort: 9229 }] },
    want: 'nodejs 9230 live',
  },
  {
    name: 'a port name wins over a hint',
    container: { command: ['npm', 'start'], ports: [{ name: 'devtools', containerPort: 9229 }] },
    want: 'nodejs 9229 live',
  },
  { name: 'nothing', container: {}, want: '- - not-debuggable', reason: /Nothing/ },
]);
