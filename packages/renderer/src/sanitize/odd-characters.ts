/**
 * What a terminal must not get, or a person would not see: controls but line feed and tab, bidirectional controls, characters
 * without a glyph (zero-width, fillers, tags, selectors), line separators, interlinear marks, lone surrogates, noncharacters.
 */
const ODD =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\x08\v-\x1F\x7F-\x9F\u2028\u2029\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Surrogate}\p{Noncharacter_Code_Point}]/u

/** Finds odd characters from `lastIndex` on; each user makes its own. */
export function oddCharacters(): RegExp {
  return new RegExp(ODD, 'gu')
}
