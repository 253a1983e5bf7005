/** The core, for where a module can be compiled but not imported. */
export const hexadecimal: string;
