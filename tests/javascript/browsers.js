// The oldest browsers for which the pages are written, as browserslist names them. docs/operating/pages.md tells them to clubs.
export const BROWSERS = ["chrome >= 100", "edge >= 100", "firefox >= 128", "safari >= 16", "ios_saf >= 16"];
