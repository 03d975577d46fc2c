/** The handler of a command; the view gives the id of the node that it was called on. Errors go to the one who registers it. */
export type Handler = (id?: string) => Promise<void>;
