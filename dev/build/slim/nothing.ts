// Stands in for modules of which nothing is used. Leaving one out altogether would name its
// place by the folder of the build, so that two folders gave two bundles.
export {};
