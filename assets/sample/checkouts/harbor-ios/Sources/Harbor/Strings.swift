enum Strings {
    static let noDepartures = "No departures today"
    static let delayed = "Delayed"
}
