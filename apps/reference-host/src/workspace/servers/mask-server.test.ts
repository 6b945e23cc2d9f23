import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ServerTable,
  findSecretNames,
  isSecret,
  maskNamedSecrets,
  maskServer,
  maskUrl,
  maskWords,
} from './mask-server.ts'

test('values of variables and headers are masked, and references to variables stay', () => {
  expect(
    maskServer({
      command: 'a',
      env: { LEVEL: 'debug', TOKEN: '${TOKEN}', MIXED: 'x-${A}' },
      headers: { Authorization: 'Bearer abc', 'X-B': 'Bearer ${B}' },
    }),
  ).toEqual({
    command: 'a',
    env: { LEVEL: '***', TOKEN: '${TOKEN}', MIXED: '***${A}' },
    headers: { Authorization: 'Bearer ***', 'X-B': 'Bearer ${B}' },
  })
})

test('in a decision only values whose names say that they are secrets are masked', () => {
  const program = [
    '-y',
    'package1234567890abcdef',
    '--api-key',
    'abc',
    '--import=data1234567890abcd',
  ]
  expect(
    maskNamedSecrets({
      command: 'npx',
      args: program,
      env: { BASH_ENV: 'start1234567890abcdefg', API_KEY: 'abc', LEVEL: 'debug' },
      headers: { Authorization: 'Bearer abc', 'X-Team': 'blue' },
    }),
  ).toEqual({
    command: 'npx',
    args: program.with(3, '***'),
    env: { BASH_ENV: 'start1234567890abcdefg', API_KEY: '***', LEVEL: 'debug' },
    headers: { Authorization: 'Bearer ***', 'X-Team': 'blue' },
  })
})

test.for([
  [
    ['--api-key', 'abc'],
    ['--api-key', '***'],
  ],
  [['--api-key=abc'], ['--api-key=***']],
  [
    ['--api-key', '--debug'],
    ['--api-key', '--debug'],
  ],
  [
    ['--api-key', '${KEY}'],
    ['--api-key', '${KEY}'],
  ],
  [
    ['docker', 'run', '-e', 'GITHUB_TOKEN=abc'],
    ['docker', 'run', '-e', 'GITHUB_TOKEN=***'],
  ],
  [
    ['node', '-e', 'TOKEN=new/**/Evil'],
    ['node', '-e', 'TOKEN=new/**/Evil'],
  ],
  [
    ['sh', '-lc', 'TOKEN=1; touch x'],
    ['sh', '-lc', 'TOKEN=1; touch x'],
  ],
  [
    ['-e', 'GITHUB_TOKEN'],
    ['-e', 'GITHUB_TOKEN'],
  ],
  [
    ['--header', 'Authorization: Bearer abc'],
    ['--header', 'Authorization: ***'],
  ],
  [
    ['-y', '@modelcontextprotocol/server-memory'],
    ['-y', '@modelcontextprotocol/server-memory'],
  ],
  [['sk0abcdefghijklmnopqrst9'], ['***']],
  [['chrome-devtools-mcp-server-2'], ['chrome-devtools-mcp-server-2']],
  [['postgresql://ada:pw@db/x'], ['postgresql://ada:***@db/x']],
  [['/home/ada/notes'], ['/home/ada/notes']],
] as const)('the arguments %j are shown as %j', ([args, masked]) => {
  expect(maskWords(args)).toEqual(masked)
})

test.for([
  'TOKEN=1; touch x',
  'TOKEN=$(touch x)',
  'TOKEN=`touch x`',
  'TOKEN=a|sh',
  'TOKEN=a&touch x',
  'TOKEN="a b"',
  "TOKEN='a'",
  'TOKEN=a b',
])('a person who decides sees the text that a shell may run: %s', (text) => {
  for (const args of [[text], ['-c', text], ['--token', text], ['--token', text.slice(6)]])
    expect(maskNamedSecrets({ command: 'sh', args }).args).toEqual(args)
  expect(maskNamedSecrets({ command: 'sh', env: { API_KEY: text } }).env).toEqual({ API_KEY: text })
})

test('a person who decides sees each word and variable that may decide what runs, whatever word its name contains', () => {
  const tables: ServerTable[] = [
    { command: 'node', args: ['--memory-protection-keys', 'evil.js'] },
    { command: 'node', args: ['--enable-enumerated-keyed-access-bytecode', 'evil.js'] },
    { command: 'systemd-run', args: ['--user', '--no-ask-password', 'evil'] },
    { command: 'npx', args: ['--use-key', './evil.js'] },
    { command: 'npx', args: ['--package=sk-evil', 'x'] },
    { command: 'env', args: ['TOKEN=evil', 'sh', '-c', 'sh $TOKEN'] },
    { command: 'sh', args: ['-c', '$API_TOKEN'], env: { API_TOKEN: 'evil' } },
    { command: 'bash', env: { BASH_ENV: 'sk-evil', GIT_SSH_COMMAND: 'ghp_evil' } },
    { command: 'x', env: { API_TOKEN: './evil.sh', KEY: '/evil', SECRET: '~/evil' } },
    {
      command: 'x',
      env: {
        PYTHON_KEYRING_BACKEND: 'evil.Backend',
        AWS_SHARED_CREDENTIALS_FILE: 'evil',
        CARGO_REGISTRY_CREDENTIAL_PROVIDER: 'evil',
        GIT_CONFIG_KEY_0: 'core.sshCommand',
      },
    },
  ]
  for (const table of tables) expect(maskNamedSecrets(table)).toEqual(table)
})

test('a person who decides does not see secrets whose names end with such a word, and passwords of addresses', () => {
  expect(
    maskNamedSecrets({
      command: 'docker',
      args: ['run', '--auth-token', 'abc', '-e', 'GITHUB_TOKEN=abc', '--db=x://u:pw@h'],
      env: { OPENAI_API_KEY: 'abc', DB: 'postgres://u:pw@h/d', OTHER: 'postgres://u:${PW}@h/d' },
    }),
  ).toEqual({
    command: 'docker',
    args: ['run', '--auth-token', '***', '-e', 'GITHUB_TOKEN=***', '--db=x://u:***@h'],
    env: { OPENAI_API_KEY: '***', DB: 'postgres://u:***@h/d', OTHER: 'postgres://u:${PW}@h/d' },
  })
})

test.for(['Bearer a', 'sk-1', 'ghp_1', 'github_pat_1', 'xoxb-1', 'glpat-1', 'AKIA1'])(
  'a variable or a header that begins like a known secret is one, whatever its name and length: %s',
  (value) => {
    expect(findSecretNames({ env: { A: value }, headers: { 'X-B': value } })).toEqual(['A', 'X-B'])
    const masked = maskNamedSecrets({ command: 'a', env: { A: value } }).env?.['A']
    expect(masked).toMatch(/^(?:Bearer )?\*\*\*$/)
  },
)

test.for([
  ['https://a/mcp?profile=free', 'https://a/mcp?profile=free'],
  ['https://a/mcp?x=1&api_key=abc#t', 'https://a/mcp?x=1&api_key=***#t'],
  ['https://a/mcp?token=${TOKEN}', 'https://a/mcp?token=${TOKEN}'],
  ['https://ada:pw@a/mcp', 'https://ada:***@a/mcp'],
] as const)('the address %j is shown as %j', ([url, masked]) => {
  expect(maskUrl(url)).toBe(masked)
})

test.for([
  ['API_KEY', 'a', true],
  ['API_KEY', '', false],
  ['API_KEY', '${API_KEY}', false],
  ['Authorization', 'Bearer ${T}', false],
  ['Authorization', 'Bearer abc', true],
  ['LEVEL', 'debug', false],
  ['LEVEL', 'a1b2c3d4e5f6a1b2c3d4e5f6', true],
  ['FOLDER', '/home/ada/a1b2c3d4e5f6', false],
  ['DATABASE_URL', 'postgres://u:pw@h/d', true],
  ['DATABASE_URL', 'postgres://u:${PW}@h/d', false],
] as const)('%s with the value %j is a secret: %j', ([name, value, expected]) => {
  expect(isSecret(name, value)).toBe(expected)
})

test('the names of secrets of a server are found', () => {
  expect(
    findSecretNames({ env: { A: '1', B_TOKEN: 'x' }, headers: { Authorization: 'x' } }),
  ).toEqual(['B_TOKEN', 'Authorization'])
})

test.for([
  [
    'https://glpat-x.evil.example\\@good.example/mcp',
    'https://glpat-x.evil.example/@good.example/mcp',
  ],
  [
    'http://glpat-x.localhost:80\\@good.example/mcp',
    'http://glpat-x.localhost:80/@good.example/mcp',
  ],
  ['https:\\\\evil.example\\a:b@good.example', 'https://evil.example/a:b@good.example'],
  [' https:/sk-ab\tcd@evil.example', 'https://***@evil.example'],
  ['https://ada:x@good.example@evil.example/', 'https://ada:***@evil.example/'],
  ['https://good.example@evil.example/', 'https://good.example@evil.example/'],
  ['https://a@good.example:443@evil.example/', 'https://***:***@evil.example/'],
  ['https://${USER}:${PASS}@a.example/', 'https://${USER}:${PASS}@a.example/'],
  [
    'https://u:x${P:-@evil.example/}@good.example/',
    'https://u:***${P:-@evil.example/}@good.example/',
  ],
  [
    'https://a.example/?api_key=x${P:-&host=evil}',
    'https://a.example/?api_key=***${P:-&host=evil}',
  ],
  ['postgres://ada:p\\w@db.example/x', 'postgres://ada:***@db.example/x'],
  // The value of a reference may end the user or the host.
  ['https://evil.example${P:-/}@a@good.example/', 'https://evil.example${P:-/}@a@good.example/'],
  [
    'https://sk-x.evil.example${P:-/}@good.example',
    'https://sk-x.evil.example${P:-/}@good.example',
  ],
  ['https://u:${A:-@}evil.example${B:-/}@a/', 'https://u:${A:-@}evil.example${B:-/}@a/'],
  ['https://evil.example:80${P:-/}@good.example', 'https://evil.example:80${P:-/}@good.example'],
  ['https://${USER}:pw@a.example/', 'https://${USER}:***@a.example/'],
  // A client reaches another host than the one that is written.
  ['https://\u0430pi.openai.com/v1', 'https://xn--pi-6kc.openai.com/v1'],
  ['https://a.example\u2044mcp.evil.example/', 'https://a.xn--examplemcp-896e.evil.example/'],
  ['https://a.example\uff0fmcp@evil.example/', 'https://a.example%EF%BC%8Fmcp@evil.example/'],
  ['http://0x7f000001:80/${PATH}', 'http://127.0.0.1:80/${PATH}'],
  ['https://g\u043eogle.example${X:-}/', 'https://g%D0%BEogle.example${X:-}/'],
  ['https://a.example\u2044b${X:-}/', 'https://a.example%E2%81%84b${X:-}/'],
  ['https://${U:-}@g\u043eogle.example/', 'https://${U:-}@xn--gogle-jye.example/'],
  ['${S:-https}://g\u043eogle.example/', '${S:-https}://g%D0%BEogle.example/'],
  ['ht\ttps://g\u043eogle.example/', 'https://xn--gogle-jye.example/'],
  ['https://g\u043eogle.example/#\uE000', 'https://xn--gogle-jye.example/#%EE%80%80'],
  ['https://%65vil.example?a b', 'https://evil.example?a%20b'],
] as const)('the address %j is shown as %j: its host is never masked', ([url, masked]) => {
  expect(maskUrl(url)).toBe(masked)
})

const PIECES =
  '@|:|/|\\|?|#|&|\t|\n| |.|%40|[::1]|80|sk-abcdefgh|glpat-x|good.example|evil.example|ada|key=|token='.split(
    '|',
  )

const SCHEMES = 'https://|http://|HTTPS:/|http:\\\\|https:| https://|wss://|postgres://'.split('|')

test('law: what is shown of an address leads to the same host and path', () => {
  const piece = fc.constantFrom(...PIECES)
  const scheme = fc.constantFrom(...SCHEMES)
  const url = fc
    .tuple(scheme, fc.array(piece, { maxLength: 9 }))
    .map(([start, rest]) => start + rest.join(''))
  fc.assert(
    fc.property(url, (text) => {
      const read = URL.parse(text)
      if (read === null) return
      const masked = URL.parse(maskUrl(text) ?? '')
      expect([masked?.protocol, masked?.host, masked?.pathname]).toEqual([
        read.protocol,
        read.host,
        read.pathname,
      ])
    }),
    { numRuns: 5000 },
  )
})

test('law: what is shown of an address with variables leads to the same host', () => {
  const references = [
    '${P:-/}',
    '${P:-\\}',
    '${P:-?}',
    '${P:-#}',
    '${P:-@}',
    '${P:-a@}',
    '${P:-:}',
    '${P}',
  ]
  const piece = fc.constantFrom(...references, ...references, ...PIECES)
  const expand = (text: string): string =>
    text.replaceAll(/\$\{P(?::-([^}]*))?\}/g, (_, preset: string | undefined) => preset ?? 'value')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (rest) => {
      const text = `https://${rest.join('')}`
      const read = URL.parse(expand(text))
      if (read === null) return
      expect(URL.parse(expand(maskUrl(text) ?? ''))?.host).toBe(read.host)
    }),
    { numRuns: 5000 },
  )
})

test('in a decision a value is masked only if its name ends as that of a secret', () => {
  expect(
    maskNamedSecrets({
      url: 'https://a.example/?author=acme&tokenizer=b&api_key=c',
      headers: { 'X-Auth-Forward-To': 'good.example', 'X-Api-Key': 'abc' },
    }),
  ).toEqual({
    url: 'https://a.example/?author=acme&tokenizer=b&api_key=***',
    headers: { 'X-Auth-Forward-To': 'good.example', 'X-Api-Key': '***' },
  })
})
