/** The texts that replace a value that was removed. */
const MARK = /\[scrubbed\]|\(removed\)|<>/

/** Characters that replace bytes or base64, as many as were removed. Other text may follow those of the first kind. */
const FILL = /^(?:([*.x-])\1{5}|([A0])\2{3,}=*$)/

/** Values that stand for a secret. What begins with `your`, `my` or `example` is one only without a digit: `my_~0~%0A` is a password. */
const GENERIC =
  /^(?:x+|[\W_]+|(?:your\b|my[-_]|example)[\p{L}\s_.-]*|change.?me|placeholder|[\W_]*redacted[\W_]*|secret|password|passwd|token|null|none|undefined|true|false|string|x-oauth-basic|process\.env.*|os\.environ.*|secrets\..*)$/iu

/** References to a value that stands elsewhere: `$NAME`, `${NAME}`, `$(…)`, `{{name}}`, `{name}`, `%NAME%`, `<name>`. */
const REFERENCE =
  /^\$(?:[A-Za-z_]\w*$|[{(])|\$\{|\$\(|\{\{|<%|^\{[^{}]*\}$|^%\w+%$|^<[^<>]*>$|^ENC\[/

/** Whether a value replaces a secret or stands for one. */
export function isPlaceholder(value: string): boolean {
  return GENERIC.test(value) || FILL.test(value) || REFERENCE.test(value)
}

/** Returns the end of a value before a text that replaces another one. */
export function findMark(value: string): number {
  const index = value.search(MARK)
  return index === -1 ? value.length : index
}
