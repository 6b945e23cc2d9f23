import { expect, test } from 'vitest'
import { findRanges } from './find-ranges.ts'

const PHRASE = 'kitefly7 river 42 lamp99'
const WORD = 'kitefly7lamp99'

/** Returns the text with a block in place of each secret. */
async function hide(text: string): Promise<string> {
  let position = 0
  let hidden = ''
  for (const { start, end } of (await findRanges(text)).toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    if (end <= position) continue
    hidden += `${text.slice(position, start)}█`
    position = end
  }
  return hidden + text.slice(position)
}

const json = (value: unknown): string => JSON.stringify(value)

test.for([
  // The first quotation mark is before the name.
  [`docker run -e 'DB_PASSWORD=${PHRASE}' x`, "docker run -e 'DB_PASSWORD=█' x"],
  [`export 'DB_PASSWORD=${PHRASE}'`, "export 'DB_PASSWORD=█'"],
  [`cmd "--password=${PHRASE}" x`, 'cmd "--password=█" x'],
  [json(['cmd', `--password=${PHRASE}`, 'x']), '["cmd","--password=█","x"]'],
  [json(['cmd', '--password=kite 7 river lamp']), '["cmd","--password=█"]'],
  [json(json([`DB_PASSWORD=${PHRASE}`])), String.raw`"[\"DB_PASSWORD=█\"]"`],
  // Other marks.
  [`password: “${PHRASE}” x`, 'password: “█” x'],
  [`password: «${PHRASE}» x`, 'password: «█» x'],
  [`password: „${PHRASE}“ x`, 'password: „█“ x'],
  [`PASSWORD=\`${PHRASE}\` x`, 'PASSWORD=`█` x'],
  // Several lines, or only one mark.
  ['PASSWORD="kitefly7 river\n42 lamp99"\nA=1', 'PASSWORD="█"\nA=1'],
  [
    json({ e: 'PASSWORD="kitefly7 river\n42 lamp99"\nA=1' }),
    String.raw`{"e":"PASSWORD=\"█\"\nA=1"}`,
  ],
  ['{"password":"kitefly7 river\\n42 lamp99"}', '{"password":"█"}'],
  [
    json(json({ password: 'kitefly7 river\n42 lamp99', a: 1 })),
    String.raw`"{\"password\":\"█\",\"a\":1}"`,
  ],
  [`PASSWORD="${PHRASE}\nA="1"`, 'PASSWORD="█\nA="1"'],
  [`PASSWORD="${PHRASE}\necho "a b"`, 'PASSWORD="█\necho "a b"'],
  [json({ e: `PASSWORD="${PHRASE}`, a: 1 }), String.raw`{"e":"PASSWORD=\"█","a":1}`],
  [json({ e: '{"password":"kite 7 river lamp' }), String.raw`{"e":"{\"password\":\"█"}`],
  // A mark inside of the value.
  [json({ password: 'kitefly7"lamp99', a: 1 }), '{"password":"█","a":1}'],
  [json(json({ password: 'kitefly7"lamp99', a: 1 })), String.raw`"{\"password\":\"█\",\"a\":1}"`],
  [
    json(json(json({ password: 'kitefly7"lamp99', a: 1 }))),
    String.raw`"\"{\\\"password\\\":\\\"█\\\",\\\"a\\\":1}\""`,
  ],
  [
    json({ o: json({ password: 'kitefly7 "river 42" lamp99' }) }),
    String.raw`{"o":"{\"password\":\"█\"}"}`,
  ],
  ["password: 'kitefly7''lamp99xyz'\na: 'b'", "password: '█'\na: 'b'"],
  [`DB_PASSWORD="kitefly7"'lamp99xyz' x`, 'DB_PASSWORD="█\' x'],
  [String.raw`DB_PASSWORD='kitefly7'\''lamp99xyz' x`, "DB_PASSWORD='█' x"],
  // Prefixes of languages.
  ...["b'", "u'", "r'", 'f"', '@"', '$"', "$'", '!!str "'].map((opening) => [
    `password: ${opening}${WORD}${opening.at(-1)} x`,
    `password: ${opening}█${opening.at(-1)} x`,
  ]),
  [`let password = r#"${WORD}"#;`, 'let password = r#"█"#;'],
  [`password = """${WORD}""" x`, 'password = """█""" x'],
  [`password = '''\n${WORD}\n''' x`, "password = '''\n█\n''' x"],
  // Values inside of others, in the next line and in blocks.
  [`{"password":\n  "${WORD}"}`, '{"password":\n  "█"}'],
  [`{"password":["${WORD}", "river42x"],"a":["b1c2d3"]}`, '{"password":["█", "█"],"a":["b1c2d3"]}'],
  [`{"password":{"value":"${WORD}"}}`, '{"password":{"value":"█"}}'],
  [`password: |\n  ${WORD}\nuser: ada`, 'password: |\n  █\nuser: ada'],
  [`api_key: >-\n  ${WORD}\n  river42\nuser: ada`, 'api_key: >-\n  █\nuser: ada'],
  [json({ e: `api_key: |\n  ${WORD}` }), String.raw`{"e":"api_key: |\n  █"}`],
  // What a shell uses if a variable is not set.
  [`POSTGRES_PASSWORD: \${PG_PW:-${WORD}} x`, 'POSTGRES_PASSWORD: ${PG_PW:-█} x'],
  [`PASSWORD="\${P:-${PHRASE}}" x`, 'PASSWORD="${P:-█" x'],
  [`PASSWORD="\${P}${WORD}" x`, 'PASSWORD="${P}█" x'],
])('in %j, the complete value is found', async ([text = '', expected = '']) => {
  expect(await hide(text)).toBe(expected)
})

test('words after a secret that may be those of a command are removed with it, and the secret also alone', async () => {
  const ranges = await findRanges(`["TOKEN=hunter2b npm start"]`)
  expect(ranges.map(({ value }) => value)).toEqual(['hunter2b npm start', 'hunter2b'])
})

test('a secret among the words that were added to another one is found also alone', async () => {
  const ranges = await findRanges(`PASSWORD="kitefly7 river\ntoken2 DB_PASSWORD=lamp99xyz x"`)
  expect(ranges.map(({ value }) => value)).toEqual([
    'kitefly7 river\ntoken2 DB_PASSWORD=lamp99xyz x',
    'lamp99xyz',
  ])
})

test.for([
  [`{"command":"PASSWORD=hunter2b npm start"}`, '{"command":"PASSWORD=█ npm start"}'],
  [`bash -c 'PASSWORD=hunter2b npm start'`, "bash -c 'PASSWORD=█ npm start'"],
  [`"PASSWORD=hunter2b is the password"`, '"PASSWORD=█ is the password"'],
  [`"password=hunter2b user=ada"`, '"password=█ user=ada"'],
  [`"token=hunter2b&b=2"`, '"token=█&b=2"'],
  [`"--password=hunter2b --user ada"`, '"--password=█ --user ada"'],
])('in %j, what is certainly no part of the value stays', async ([text = '', expected = '']) => {
  expect(await hide(text)).toBe(expected)
})

test.for([
  '"password": ["required", "min 8"]',
  '"password": ["required","min:12","confirmed"]',
  '"password":["min:12"]',
  '"secret": ["HS256","x-api-key1"]',
  '"token": {"value":"1.25rem"}',
  '"password": {"type":"string","minLength":8}',
  "the password is 'optional' here",
  'class AuthToken:\n    """A token with 3 parts."""\n',
  'def token():\n    "Returns 2 tokens"',
  String.raw`token = r'[a-z0-9]+\d'`,
  String.raw`TOKEN = r'\b[A-Z]{2}\d+'`,
  'token = f"{name}-v2"',
  '(token) => "abc12 of the def"',
  'password = $"{user}1"',
  'password: |\n  Enter the password of user 1\n',
  'password: >-\n  ${{ secrets.DB1 }}\n',
  'type Token =\n  | "abc1def"\n  | "def2abc"',
  'const token =\n  "of a long text 2"',
  'const token = await getToken()',
  "'token=' + token2 + '&x'",
  '"token=" + tok2 + "&x 1"',
  '`token=abc1 npm start`',
  'POSTGRES_PASSWORD: ${PG_PW:-postgres}',
  'TOKEN="${HOST}:5432/db1"',
  'TOKEN=${FILE:-/run/secrets/x1}',
  'TOKEN=${TOKEN:?missing token 1}',
  'password: “at least 8 characters”',
  'password: „mindestens 8 Zeichen“',
  'token: `npm run x1`',
  'const password = "";\nconst user = "ada1";',
  'PASSWORD="\nX=1"',
  'token = "\\n".join(x1)',
  "password=''  # 'abc 123'",
  'password = """\n    Enter 2 words\n    """',
])('in %j, nothing is found', async (text) => {
  expect(await hide(text)).toBe(text)
})

test('a long text without an end of its quotes is searched in linear time', async () => {
  for (const piece of [
    'password="a""',
    'password=“a',
    String.raw`password="\"`,
    'password="\n',
    'password="abc12345\n',
    'password="""a1b2c3d4 ',
    'password=r##"a',
    '"password":["abc12345",',
    '"password":{"value":',
    '"password":\n',
    'password: |\n  abc12345\n ',
    String.raw`password: |\n  abc12345\"`,
    'PASSWORD=${A:-',
    'PASSWORD="${A}abcd12345678',
    "'PASSWORD=abc12345 ",
    String.raw`\"--password=abc12345 `,
    `password='a'"b"'c'`,
    String.raw`\u0022`,
    'password=“password="a\\" ',
  ])
    expect(await findRanges(piece.repeat((256 * 1024) / piece.length))).toEqual(expect.any(Array))
})
