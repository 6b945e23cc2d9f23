import { expect, test } from 'vitest'
import { findRanges } from './find-ranges.ts'

const find = async (text: string): Promise<readonly string[]> =>
  (await findRanges(text)).map(({ value }) => value)

// Put together here, so that no file contains what looks like a key.
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJhbm4ifQ', 'c2lnbmF0dXJlLW9mLWFubg'].join('.')
const GOOGLE = `AIza${'Sy0bX7'.repeat(6).slice(0, 35)}`
const AWS = `AKIA${'Q7ZP'.repeat(4)}`

const AWS_SECRET = ['PtYgjmUhBel31iEl2hpC', 'hYgCfrL1spNxnyVmihAB'].join('')
const AWS_SLASH = `${AWS_SECRET.slice(0, 39)}/`
const ED25519 = [
  '-----BEGIN PRIVATE KEY-----',
  ['MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqV', 'Tm50DFtMDoQikTmiCqirVv9mWG9qfSnF'].join(''),
  '-----END PRIVATE KEY-----',
].join('\n')

test.for([
  [`aws_secret_access_key = ${AWS_SECRET}`, AWS_SECRET],
  [`AWS_SECRET_ACCESS_KEY=${AWS_SLASH}`, AWS_SLASH],
  [`export AWS_SECRET_ACCESS_KEY="${AWS_SECRET}"`, AWS_SECRET],
  [`"SecretAccessKey": "${AWS_SECRET}"`, AWS_SECRET],
  [`secretAccessKey: ${AWS_SECRET.slice(1)}+`, `${AWS_SECRET.slice(1)}+`],
  [`<SecretAccessKey>${AWS_SECRET}</SecretAccessKey>`, AWS_SECRET],
  [`AWS Secret Access Key [None]: ${AWS_SECRET}`, AWS_SECRET],
  [`AWS Secret Access Key [****************ABCD]: ${AWS_SECRET}`, AWS_SECRET],
  [`{"name":"AWS_SECRET_ACCESS_KEY","value":"${AWS_SECRET}"}`, AWS_SECRET],
  [String.raw`{"secretAccessKey":"${AWS_SLASH.replace('/', String.raw`\/`)}"}`, AWS_SLASH],
  ['password: hunter2b', 'hunter2b'],
  ['db:\n    password: hunter2b\n    user: ada', 'hunter2b'],
  ['- DB_PASSWORD: hunter2d', 'hunter2d'],
  ['[db]\npassword = hunter2l\n', 'hunter2l'],
  ['**Password:** hunter2b', 'hunter2b'],
  ['The password: `hunter2b`.', 'hunter2b'],
  ['DB_PASS=hunter2c', 'hunter2c'],
  ['Server=db;Uid=sa;Pwd=hunter2x;Database=main', 'hunter2x'],
  ['DB_PASSWORD=abcdef(ghijklmnop', 'abcdef(ghijklmnop'],
  ['DB_PASSWORD=hunter$ecret12345', 'hunter$ecret12345'],
  ['connect(password=abc12345)', 'abc12345'],
  ['password="hunter2x', 'hunter2x'],
  ['{"password":"abcdefgh\\"ijklmnop12"}', 'abcdefgh"ijklmnop12'],
  [String.raw`{"stdout":"a\nDB_PASSWORD=hunter2-Blue\nHOME=/home/ada"}`, 'hunter2-Blue'],
  ['password\\u003dhunter2x', 'hunter2x'],
  ['login --password hunter2e --user ada', 'hunter2e'],
  ['["login", "--password", "hunter2e"]', 'hunter2e'],
  ['mysql -uroot -phunter2k main', 'hunter2k'],
  ["mariadb-dump -p'hunter2k' main", 'hunter2k'],
  ['sshpass -p hunter2m ssh ada@a.example', 'hunter2m'],
  ['machine a.example login ada password hunter2n', 'hunter2n'],
  ['Authorization: Basic YWRhOmh1bnRlcjI=', 'YWRhOmh1bnRlcjI='],
  ['postgres://ada:hunter2xyz@db/main', 'hunter2xyz'],
  [`key:\n${ED25519}\n`, ED25519],
  [JSON.stringify({ key: ED25519 }), ED25519],
  [`API_KEY=${'q7zp'.repeat(8)}`, 'q7zp'.repeat(8)],
  ['PASSWORD=hunter2-Blue', 'hunter2-Blue'],
  ['password=hunter2secret', 'hunter2secret'],
  ['https://a.example/?api_key=k3y-of-ann&page=2', 'k3y-of-ann'],
  ['mysql --password=s3cret-of-ann db', 's3cret-of-ann'],
  [`the key sk-proj-${'q7Zp'.repeat(6)}.`, `sk-proj-${'q7Zp'.repeat(6)}`],
  ['DB_PASSWORD=hunter2-Blue-Whale-93', 'hunter2-Blue-Whale-93'],
  ['export SERVICE_API_KEY="k3y-of-the-service"', 'k3y-of-the-service'],
  ['{"user":"ann","password":"correct horse"}'.replace(' ', '-'), 'correct-horse'],
  ["const apiKey = 'k3y-of-the-service'", 'k3y-of-the-service'],
  ['token: "t0ken-of-ann"', 't0ken-of-ann'],
  [`Authorization: Bearer ${JWT}`, JWT],
  [`cookie: session=${JWT}`, JWT],
  ['curl -s -u admin:s3cret-pass https://a.example', 's3cret-pass'],
  [`key is ${GOOGLE}`, GOOGLE],
  [`AWS_ACCESS_KEY_ID=${AWS}`, AWS],
  ['GOOGLE_SECRET is GOCSPX-q7Zp_q7Zp-q7Zpq7Zpq7Zpq7Zp', 'GOCSPX-q7Zp_q7Zp-q7Zpq7Zpq7Zpq7Zp'],
  ['Uploading with pypi-AgEIcHlwaS5vcmcCJGQ3Zpq7Zp', 'pypi-AgEIcHlwaS5vcmcCJGQ3Zpq7Zp'],
  [`dop_v1_${'q7f0'.repeat(16)}`, `dop_v1_${'q7f0'.repeat(16)}`],
  [
    `AccountName=ada;AccountKey=${'q7Zp'.repeat(21)}q7==;EndpointSuffix=core.windows.net`,
    `${'q7Zp'.repeat(21)}q7==`,
  ],
  [`client: abc8Q~${'q7Zp'.repeat(8)}`, `abc8Q~${'q7Zp'.repeat(8)}`],
  [`https://a.example/x?sv=1&sig=${'q7Zp'.repeat(11)}%3D&se=2`, `${'q7Zp'.repeat(11)}%3D`],
  ['<password>hunter2q</password>', 'hunter2q'],
  ['<db:Password encrypted="false">\n  hunter2q\n</db:Password>', 'hunter2q'],
  ['{"name":"DB_PASSWORD","value":"hunter2r"}', 'hunter2r'],
  ['- name: DB_PASSWORD\n  value: hunter2r\n- name: A', 'hunter2r'],
  ['<add key="DbPassword" value="hunter2r" />', 'hunter2r'],
  ['docker login -u ada -p hunter2s registry.example', 'hunter2s'],
  ['password: my_hunter2', 'my_hunter2'],
  [`hf_${'q7Zp'.repeat(8)}`, `hf_${'q7Zp'.repeat(8)}`],
  [`lsv2_pt_${'q7f0'.repeat(8)}_q7f0`, `lsv2_pt_${'q7f0'.repeat(8)}_q7f0`],
  ['ENCRYPTION_KEY=q7f0q7f0q7f0', 'q7f0q7f0q7f0'],
  ['SECRET_KEY_BASE=q7f0q7f0q7f0', 'q7f0q7f0q7f0'],
  ['API Key: q7f0q7f0q7f0', 'q7f0q7f0q7f0'],
  ['password：hunter2b', 'hunter2b'],
  ['password:\u00A0hunter2b', 'hunter2b'],
  ['passphrase: "correct horse battery staple 9"', 'correct horse battery staple 9'],
  [`send bearer ${'q7Zp'.repeat(8)}`, 'q7Zp'.repeat(8)],
  ['"auths": {"x": {"auth": "YWRhOmh1bnRlcjI="}}', 'YWRhOmh1bnRlcjI='],
  ["CREATE USER ada WITH PASSWORD 'hunter two';", 'hunter two'],
  ["IDENTIFIED BY 'hunter2t'", 'hunter2t'],
  ["define('DB_PASSWORD', 'hunter2u');", 'hunter2u'],
  ['FROM a\nENV DB_PASSWORD hunter2v\n', 'hunter2v'],
  ['redis-cli -h a -a hunter2w', 'hunter2w'],
  ['mongosh -u ada -p hunter2w', 'hunter2w'],
  ['curl -su ada:hunter2y https://a.example', 'hunter2y'],
  [`https://${'q7Zp'.repeat(8)}@github.com/a/b`, 'q7Zp'.repeat(8)],
  ['DB_PASS="correct horse 1battery"', 'correct horse 1battery'],
  ["password = 'correct horse 9 battery'", 'correct horse 9 battery'],
  ['{"password": "Summer 2026 rain"}', 'Summer 2026 rain'],
  [JSON.stringify({ out: '{"password": "Summer 2026 rain"}' }), 'Summer 2026 rain'],
  ['{"password":"Summer 2026 \\"rain\\""}', 'Summer 2026 "rain"'],
  ['DB_PASSWORD="correct horse battery staple"', 'correct horse battery staple'],
  ['JWT_SECRET=correcthorse', 'correcthorse'],
  ['SECRET_KEY=correcthorse', 'correcthorse'],
  ['export AUTH_TOKEN=correcthorse\n', 'correcthorse'],
  ['DJANGO_SECRET_KEY="correcthorse"', 'correcthorse'],
  ['["mysql","-phunter2b"]', 'hunter2b'],
  ['["mysql", "-u", "root",\n  "-phunter2b", "main"]', 'hunter2b'],
  ['"Authorization": ["Bearer abc123def456"]', 'abc123def456'],
  ['"Authorization": [\n    "Bearer abc123def456"\n  ]', 'abc123def456'],
  ['[["authorization","Bearer abc123def456"]]', 'abc123def456'],
  ['machine h login b password "hunter2b x"', 'hunter2b x'],
  ['DB_PASS="correct horse is 9"', 'correct horse is 9'],
  ["password: 'hunter2b, the second'", 'hunter2b, the second'],
  ['https://u:p4ss/w0rd@h/x', 'p4ss/w0rd'],
  ['postgres://u:p@ss/w0rd@h/db', 'p@ss/w0rd'],
  ['https://ada:kitefly7lamp99@ä.example/', 'kitefly7lamp99'],
  ["https://ada:kitefly7'lamp99@h/", "kitefly7'lamp99"],
  ['<password><![CDATA[kitefly7lamp99]]></password>', 'kitefly7lamp99'],
  ['Authorization:\r\n Bearer abc123def456', 'abc123def456'],
  [
    `AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=${'a1'.repeat(32)}`,
    'a1'.repeat(32),
  ],
  [`https://a.example/x?X-Amz-Signature=${'a1'.repeat(32)}&a=b`, 'a1'.repeat(32)],
])('in %j, the value is found', async ([text = '', value = '']) => {
  expect(await find(text)).toEqual([value])
})

test.for([
  'const token = readBearer(authorization)',
  'DB_PASSWORD=$PASSWORD',
  'connect(password=password_of_user)',
  'a task-sk-of-something-that-is-long-enough',
  'DB_PASSWORD=${PASSWORD}',
  'password: "<your password>"',
  'token_env = "ROBOT"',
  'API_KEY=your-key-here',
  'TOKEN=process.env.TOKEN',
  '"password": "password"',
  'max_tokens: 4096',
  'tokenizer = "cl100k_base"',
  'Send the header Authorization: Bearer TOKEN.',
  'password: required',
  'the password is shown below',
  'type: password',
  '{"properties":{"password":{"type":"string","minLength":8}},"required":["password"]}',
  'password = getPassword()',
  'const token = readToken2(request)',
  'const password = password1',
  'password: string',
  'token: uint256',
  'token = tokens[1]',
  'token: config.token2',
  'password == hunter2x',
  'const pwd = process.cwd()',
  'PWD=/home/ada/project1',
  'OLDPWD=/home/ada/project2',
  'docker login --password-stdin < file1',
  '--password PASSWORD',
  '--token string   the token of version2',
  '# pass 120000',
  'pass: 120000',
  'password: ${SECRET}',
  'password: $SECRET1',
  'password: {{ vault_password1 }}',
  'password: ***',
  'password: sha256',
  'secret: /run/secrets/db1',
  'docker run -p3306:3306 mysql',
  'mysql -p main1',
  'Basic authentication, Basic understanding',
  "fetch(url, { credentials: 'same-origin' })",
  "credentials: 'object'",
  '"@octokit/auth-token": "^6.0.0", "canceltoken": "1.10.0-rc.1"',
  'NO_AUTH = "NO_AUTH"',
  "apiKey: 'GEMINI_API_KEY'",
  "accesskey: 'accessKey'",
  'credential: X509Credential',
  'private_key: "_RSAPrivateKey"',
  'token = token.slice(0, 10)',
  'token:e?e.substring(0,10)+f:g',
  "password: '[REDACTED]', token: '***REDACTED***'",
  'token: "/token", credential: "/path/to/config.json"',
  'id_token = "1.3.6.1.5.5.7.3.1"',
  'token: "#dcdccc"',
  'token_type: urn:openai:params:oauth:token-type:x509',
  'default_token="Bearer"',
  'the ENV DB_PASSWORD is required',
  'WHERE password = :password',
  'https://a-long-name-of-a-person@example.com',
  '{"token": "keyword.control"}',
  '"nextPageToken": "CAUQAA7"',
  'continuation_token: CAUQAA7',
  '<password>your-password</password>',
  '<xs:element name="password" type="xs:string1"/>',
  '<input name="password" value="" type="password2">',
  '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      key: password1',
  'docker run -p 3306:3306 mysql',
  '{"name":"token","value":"string"}',
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  '"password": "The password of the user"',
  '"password": "Password must have at least 8 characters"',
  "token: 'Expires in 30 days.'",
  'token: "2 of 3 tokens are used"',
  '"pass": "Everything that has a tabindex is more than 0"',
  '"pass": "Элемент не имеет tabindex больше 0"',
  'MISSING_TOKEN="No token was given"',
  'SECRET_KEY=placeholder',
  'API_KEY=yourapikey',
  'AUTH_TOKEN=mytoken',
  'SESSION_SECRET=changeme',
  'jwtSecret=correcthorse',
  'https://registry.example:4873/pkg@1.0.0',
  'http://localhost:3000/@scope/pkg1@2',
  'https://u:$PASS1/x@h/y',
  'the header "authorization", "Bearer"',
  '["mysql", "-p3306:3306"]',
  "fetch('http://h:8080000','x@y')",
  `git diff, signature=${'a1'.repeat(32)}`,
])('in %j, nothing is found', async (text) => {
  expect(await find(text)).toEqual([])
})

test.for(
  ['[scrubbed]', '(removed)', '<>', '************', 'xxxxxxxx'].flatMap((mark) =>
    ['', '2hpChYgCfrL1spNxnyVmihAB', '1', '"', ' and more1'].map((rest) => [mark, rest] as const),
  ),
)('a placeholder is never found: %s before %j', async ([mark, rest]) => {
  for (const text of [
    `DB_PASSWORD=${mark}${rest}`,
    `password: ${mark}${rest}`,
    `{"password":"${mark}${rest}"}`,
    JSON.stringify(JSON.stringify({ token: mark + rest })),
    `aws_secret_access_key = ${mark}${rest}`,
    `login --password ${mark}${rest}`,
    `mysql -p${mark}${rest}`,
    `machine a login b password ${mark}${rest}`,
    `Authorization: Bearer ${mark}${rest}`,
    `postgres://ada:${mark}${rest.trim()}@db.example/main`,
    `https://ada:${mark}${rest.trim()}@db.example/main`,
    `curl -u ada:${mark}${rest} https://a.example`,
  ])
    expect(await find(text)).toEqual([])
})

test('a secret is found in colours, and removed also without them', async () => {
  const github = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
  const colour = (text: string): string => `\u001B[33m${text}\u001B[0m`
  expect(await find(`${colour(github)} plain`)).toEqual([github])
  expect(await find(JSON.stringify({ out: colour(github) }))).toEqual([github])
  expect(await find(`DB_PASSWORD=${colour('hunter2x')}`)).toContain('hunter2x')
  expect(await find(`${colour('password')}: ${colour("'hunterx'")}`)).toEqual(['hunterx'])
  const grep = `\u001B[01;31m\u001B[Kghp_\u001B[m\u001B[K${github.slice(4)}`
  expect(await find(grep)).toContain(github)
})

test('a long private key is removed to its end', async () => {
  const lines = Array.from({ length: 700 }, (_, line) => `${line}`.padStart(64, 'q7Zp'))
  const key = [
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    ...lines,
    '-----END PGP PRIVATE KEY BLOCK-----',
  ].join('\n')
  expect(await find(`before\n${key}\nafter`)).toContain(key)
})

test('two secrets that share characters are one, so that no rest of the second stays', async () => {
  // The rule of addresses ends after 500 characters of options, inside the second password.
  const text = `postgres://ann:pw12@db/main?x=${'a'.repeat(470)}&password=${'q7zp'.repeat(20)}`
  expect(await find(text)).toEqual([text])
})

test('what is before a placeholder is found', async () => {
  expect(await find('DB_PASSWORD=hunter2-Blue[scrubbed]')).toEqual(['hunter2-Blue'])
})

/** As many characters as a search takes at once. */
const LENGTH = 256 * 1024

test('a long text without an end of its quotes is searched in linear time', async () => {
  for (const piece of [
    'password="',
    'password="a 1 " ',
    '"mysql",',
    '"mysql","-p',
    'a://b:c/',
    'a://b:c@d/',
    'authorization",["',
    'machine a login b password "',
    'Bearer ',
    'curl -u a:',
    'A_'.repeat(50),
    'eyJ.eyJ.',
    'password=',
    'sk-',
    'a-'.repeat(50),
    'token:',
    'password: ',
    'password=$X&',
    'password="\\',
    String.raw`\n`,
    String.raw`\\\"`,
    'password=`a',
    '--password ',
    'mysql ',
    'mysql -',
    'sshpass ',
    'machine a ',
    'machine a login b ',
    'authorization: Bearer ',
    'Basic ',
    'a://b:',
    'a://b:c@',
    'secret_access_key [',
    'secret_access_key = ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n',
    'glpat-',
    'xoxb-',
    'SG.a.',
    '{"name":"',
    '{"name":"password","value":',
    '<password>',
    '<password a',
    'docker login ',
    'docker login -p',
    '?sig=',
    'a.Q~',
    `token:** ${'*'.repeat(8000)}1 `,
    `token=a${')'.repeat(8000)}a `,
    `\\n token=${'.'.repeat(8000)}1 `,
    '\u001B[31m',
    '\u001B]',
    'define(',
    '\nENV ',
    'redis-cli ',
    "PASSWORD '",
    'eyJaaaaaaaa.',
    '1'.repeat(50),
    ' ',
    'a',
  ])
    expect(await find(piece.repeat(LENGTH / piece.length))).toEqual(expect.any(Array))
})
