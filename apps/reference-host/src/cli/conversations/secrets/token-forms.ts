import type { FoundRange } from './assigned-secrets.ts'
import { findCookies } from './cookies.ts'
import { KEY_PREFIXES, SHORT_KEY_PREFIXES } from './key-prefixes.ts'
import { findMark, isPlaceholder } from './placeholders.ts'
import { MAX_LENGTH } from './quoted-values.ts'

/** A form of secrets that is known by its own characters, or by the command or the header that sends it. */
interface TokenForm {
  rule: string
  /** The group is the value: it has all characters that a value can have, so that no rest of it stays. */
  pattern: RegExp
  /** Whether a value is one; a placeholder never is. */
  accepts?: (value: string) => boolean
}

/** An argument of a command, with or without quotation marks. */
const ARGUMENT = String.raw`(?:"([^"\n]{1,${MAX_LENGTH}})|'([^'\n]{1,${MAX_LENGTH}})|([^\s"'\x60<>;|]{1,${MAX_LENGTH}}))`

const hasDigitAndLetter = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value)

/** How a name ends whose value is a secret. */
const SECRET_WORD =
  'password|passwd|passphrase|pass|pwd|secret|token|(?:api|access|account|private|secret)[_-]?key'

/** None of the patterns can be slow: each part has a limit, or ends where the next begins. */
const FORMS: readonly TokenForm[] = [
  {
    rule: 'aws',
    // Also the prompt of `aws configure`, lists of names and values, and `\/` in JSON.
    pattern:
      /(?:secret[_ -]?(?:access[_ -]?)?key)(?:[^A-Za-z\d/+[]{1,40}\[[^\]\n]{0,40}\])?[^A-Za-z\d/+]{1,40}(?:value[^A-Za-z\d/+]{1,8})?((?:\\{0,3}\/|[A-Za-z\d+]){40})(?![A-Za-z\d/+=])/dgi,
  },
  {
    rule: 'private-key',
    pattern:
      /(-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[^]){0,60000}-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:(?!-----)[^]){0,12000}))/dg,
    accepts: isPrivateKey,
  },
  {
    rule: 'authorization',
    pattern:
      /\bauthorization(?:["']?[ \t]{0,8}[:=]|["'],)[ \t]{0,8}(?:\r?\n[ \t]{1,8})?(?:\[\s{0,40}|\s{0,40}(?=["']))?["']?(?:Bearer|Token|ApiKey|Api-Key)[ \t]{1,8}([^\s"'`<>,;\\]{6,8192})/dgi,
    accepts: (value) => /\d/.test(value),
  },
  {
    rule: 'basic',
    pattern: /\bBasic[ \t]{1,8}([A-Za-z\d+/_-]{8,8192}={0,2})/dgi,
    accepts: isBasic,
  },
  { rule: 'bearer', pattern: /\bBearer\s{1,20}([\w.~+/-]{20,8192}=*)/dg },
  {
    rule: 'bearer',
    pattern: /\bbearer\s{1,20}([\w.~+/-]{20,8192}=*)/dgi,
    accepts: (value) => /\d/.test(value),
  },
  { rule: 'jwt', pattern: /\b(eyJ[\w-]{8,4000}\.eyJ[\w-]{2,8000}\.[\w-]{8,4000})/dg },
  // An encrypted one has five parts, and the content of a signed one may be a list.
  {
    rule: 'jwt',
    pattern: /\b(eyJ[\w-]{8,4000}(?:\.[\w-]{0,8000}){2,4})/dg,
    accepts: (value) => value.length >= 40,
  },
  {
    rule: 'basic',
    pattern: /"auth"\s{0,8}:\s{0,8}"([A-Za-z\d+/]{8,8192}={0,2})"/dg,
    accepts: isBasic,
  },
  {
    rule: 'basic',
    pattern:
      /\b(?:curl|https?)\b[^\n]{0,400}?\s(?:-[a-z]{0,8}[ua]|--user|--auth)[\s=]{0,2}["']?[^\s:"'=]{1,100}:([^\s"'`<>\\]{4,1000})/dg,
  },
  {
    rule: 'option',
    pattern: new RegExp(
      String.raw`(?<![\w-])--?(?:[a-z\d]{1,20}-){0,4}(?:password|passwd|passphrase|pass|pwd|secret|token|api-?key|access-key|secret-key)(?:[ \t]{1,8}|["'],\s{0,20}(?=["'])|[ \t]{0,8}\\\n\s{0,20})(?!-)${ARGUMENT}`,
      'dgi',
    ),
    accepts: isSetValue,
  },
  {
    rule: 'option',
    pattern: new RegExp(
      String.raw`\b(?:mysql|mariadb)(?:-?(?:dump|admin|import|show|check|slap|sh))?(?=[ \t])[^\n|;&]{0,400}?[ \t]-p${ARGUMENT}`,
      'dg',
    ),
    accepts: (value) => value.length >= 4 && !/^\d+:\d/.test(value),
  },
  {
    rule: 'option',
    // The arguments as a list.
    pattern:
      /["'](?:mysql|mariadb)(?:-?(?:dump|admin|import|show|check|slap|sh))?["'](?:\s{0,40},\s{0,40}["'](?!-p)[^"'\n]{0,200}["']){0,20}\s{0,40},\s{0,40}["']-p([^"'\n]{4,1000})["']/dg,
    accepts: (value) => !/^\d+:\d/.test(value),
  },
  {
    rule: 'option',
    pattern: new RegExp(
      String.raw`\b(?:docker|podman|helm|oras|az)[ \t][^\n|;&]{0,200}?\blogin\b[^\n|;&]{0,400}?[ \t]-p[ \t]{1,8}(?!-)${ARGUMENT}`,
      'dg',
    ),
    accepts: (value) => value.length >= 4,
  },
  {
    rule: 'option',
    pattern: new RegExp(
      String.raw`\b(?:redis-cli[ \t][^\n|;&]{0,200}?-a|(?:mongo|mongosh|mongodump)[ \t][^\n|;&]{0,200}?-p|ldap(?:search|modify|add)[ \t][^\n|;&]{0,200}?-w)[ \t]{1,8}(?!-)${ARGUMENT}`,
      'dg',
    ),
    accepts: (value) => value.length >= 4,
  },
  {
    rule: 'sql',
    pattern: /\b(?:PASSWORD|IDENTIFIED\s{1,8}BY)\s{1,8}'([^'\n]{4,1000})'/dgi,
  },
  {
    rule: 'field',
    pattern: new RegExp(
      String.raw`\bdefine\(\s{0,8}["'][\w.-]{0,60}(?:${SECRET_WORD})["']\s{0,8},\s{0,8}${ARGUMENT}`,
      'dgi',
    ),
    accepts: isSetValue,
  },
  {
    rule: 'variable',
    pattern: new RegExp(
      String.raw`(?:^|\n)[ \t]{0,20}(?:ENV|ARG|setenv)[ \t]{1,8}[\w.-]{0,60}(?:${SECRET_WORD})[ \t]{1,8}${ARGUMENT}`,
      'dgi',
    ),
    accepts: isSetValue,
  },
  {
    rule: 'option',
    pattern: new RegExp(String.raw`\bsshpass\b[^\n]{0,80}?[ \t]-p[ \t]{0,8}${ARGUMENT}`, 'dg'),
    accepts: (value) => value.length >= 4,
  },
  {
    rule: 'field',
    // An entry of a list of names and values, as in the variables of a container: `{"name":"DB_PASSWORD","value":"…"}`.
    pattern: new RegExp(
      String.raw`\b(?:name|key)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?[\w.:-]{0,60}(?:${SECRET_WORD})["']?(?:,\s{0,40}|\s{1,40})["']?value["']?[ \t]{0,8}[:=][ \t]{0,8}${ARGUMENT}`,
      'dgi',
    ),
    accepts: isSetValue,
  },
  {
    rule: 'field',
    pattern: new RegExp(
      String.raw`<(?:[\w.:-]{0,60}(?:${SECRET_WORD}))(?:[ \t][^<>]{0,200})?>\s{0,40}(?:<!\[CDATA\[)?([^\s<>]{1,${MAX_LENGTH}}?)\s{0,40}(?:\]\]>\s{0,40})?</`,
      'dgi',
    ),
    accepts: isSetValue,
  },
  {
    rule: 'netrc',
    pattern:
      /\b(?:machine\s{1,20}\S{1,255}|default)\s{1,20}login\s{1,20}\S{1,255}\s{1,20}(?:account\s{1,20}\S{1,255}\s{1,20})?password\s{1,20}(?:"([^"\n]{4,1000})"|([^\s"'`<>]{4,1000}))/dg,
  },
  {
    rule: 'address',
    // The password ends at the last `@` before the path.
    pattern:
      /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,200}:((?:[^\s/"'`<>?#]|'(?=\w)){6,1000})@[\w.[\u0080-\uFFFF-]/dgi,
  },
  {
    rule: 'address',
    // A password with a `/` that is not written as `%2F`. Digits before the first `/` are a port, and a longer text before an `@` is a password.
    pattern:
      /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:/@[\]"'`<>]{0,200}:(?!\d{1,5}[/?#])((?:[^\s/@[\]"'`<>?#]{1,5}@)?[^\s/@[\]"'`<>?#]{1,200}\/[^\s[\]"'`<>?#]{0,500})@[\w.-]/dgi,
    accepts: (value) => value.length >= 6 && hasDigitAndLetter(value) && !/^\$\w+\//.test(value),
  },
  {
    rule: 'address',
    pattern: /\b[a-z][a-z\d+.-]{1,20}:\/\/([\w-]{20,300})@[\w.[-]/dgi,
    accepts: hasDigitAndLetter,
  },
  // Keys of providers, also of forms that are longer or newer than the rules.
  {
    rule: 'key',
    pattern: new RegExp(String.raw`\b((?:${KEY_PREFIXES.join('|')})[\w.=$-]{20,1000})`, 'dg'),
    accepts: (value) => /\d/.test(value),
  },
  {
    rule: 'key',
    pattern: new RegExp(
      String.raw`\b((?:${SHORT_KEY_PREFIXES.join('|')})[A-Za-z\d]{20,1000})`,
      'dg',
    ),
    accepts: hasDigitAndLetter,
  },
  { rule: 'twilio', pattern: /\b(SK[\da-f]{32})\b/dg },
  { rule: 'mailgun', pattern: /\b(key-[\da-f]{32})\b/dg },
  { rule: 'mailchimp', pattern: /\b([\da-f]{32}-us\d{1,2})\b/dg },
  { rule: 'airtable', pattern: /\b(pat[A-Za-z\d]{14}\.[\da-f]{64})\b/dg },
  { rule: 'discord', pattern: /\b([MNO][\w-]{23,28}\.[\w-]{6}\.[\w-]{27,40})/dg },
  { rule: 'slack', pattern: /\b(xoxe\.xox[bp]-[\w-]{10,1000})/dg },
  { rule: 'google', pattern: /\b(1\/\/0[\w-]{30,200})/dg },
  { rule: 'age', pattern: /\b(AGE-SECRET-KEY-1[A-Z\d]{58})\b/dg },
  { rule: 'telegram', pattern: /\b(\d{8,10}:AA[\w-]{33})(?![\w-])/dg },
  {
    rule: 'discord',
    pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/([\w-]{60,100})/dg,
  },
  { rule: 'azure', pattern: /(?<![\w.~-])([\w.~-]{3}\dQ~[\w.~-]{30,33}[\w~-])(?![\w~-])/dg },
  {
    rule: 'aws',
    pattern:
      /(?:\bX-Amz-|\bAWS4-HMAC-SHA256\b[^\n]{0,1000}?\b)Signature["']?[ \t]{0,8}[=:][ \t]{0,8}["']?([\da-f]{64})(?![\da-f])/dgi,
  },
  { rule: 'azure', pattern: /[?&]sig=([\w%/+-]{40,200}=?)/dg },
  { rule: 'key', pattern: /\b(sk-[\w-]{20,1000})/dg, accepts: (value) => /\d/.test(value) },
  { rule: 'google', pattern: /\b(AIza[\w-]{35})(?![\w-])/dg },
  { rule: 'aws-id', pattern: /\b((?:AKIA|ASIA)[A-Z\d]{16})\b/dg },
  {
    rule: 'slack',
    pattern: /\b((?:xox[a-z]|xapp)-[\w-]{10,1000})/dg,
    accepts: (value) => /\d/.test(value),
  },
  {
    rule: 'gitlab',
    pattern: /\b(gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[\w-]{20,500}(?:\.\w{2,20}){0,3})/dg,
  },
  { rule: '1password', pattern: /\b(ops_eyJ[\w+/-]{100,4000}={0,2})/dg },
  { rule: 'sendgrid', pattern: /\b(SG\.[\w-]{16,40}\.[\w-]{30,100})/dg },
]

/** Finds secrets in forms that the rules of secretlint do not have, or of which they leave a rest. */
export function findTokens(text: string): readonly FoundRange[] {
  const tokens = FORMS.flatMap(({ rule, pattern, accepts }) =>
    [...text.matchAll(pattern)].flatMap(({ indices }) => {
      const [start, end] = indices?.slice(1).find((range) => range !== undefined) ?? [0, 0]
      const matched = text.slice(start, end)
      const value = rule === 'private-key' ? matched : matched.slice(0, findMark(matched))
      if (value === '' || isPlaceholder(value) || accepts?.(value) === false) return []
      return [{ start, end: start + value.length, rule }]
    }),
  )
  return [...tokens, ...findCookies(text)]
}

/** The minimum number of characters of a key in base64. A key of Ed25519 has 64. */
const MIN_KEY = 40

function isPrivateKey(value: string): boolean {
  const runs =
    value.replaceAll(/-----(?:BEGIN|END)[^-]*-----/g, '').match(/[A-Za-z\d+/=]{8,}/g) ?? []
  const key = runs.join('')
  return key.length >= MIN_KEY && new Set(key).size > 8
}

/** Whether a value is a secret, and not a word, a path or an address. */
function isSetValue(value: string): boolean {
  return value.length >= 6 && hasDigitAndLetter(value) && !/^[./~]|:\/\//.test(value)
}

/** Whether a value is base64 of a name and a password, as in a header. */
function isBasic(value: string): boolean {
  const decoded = Buffer.from(value, 'base64').toString()
  return /^[^\p{Cc}\ufffd:]*:[^\p{Cc}\ufffd]+$/u.test(decoded)
}
