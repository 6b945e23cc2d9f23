/** How large the screen of an interactive program is. */
export const ROWS = 24
export const COLUMNS = 80
