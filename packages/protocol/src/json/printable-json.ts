/**
 * What a terminal or an editor would obey, reorder or not show: controls, format characters (zero-width, bidirectional, tags),
 * line separators, characters without a glyph, noncharacters. Line feeds of JSON stand between its values only.
 */
const UNPRINTABLE =
  /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/** JSON as printable text: inside its strings, what does not print is written as `\uXXXX`. It parses to the same value. */
export function printableJson(json: string): string {
  return json.replaceAll(UNPRINTABLE, escapeUnits)
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
